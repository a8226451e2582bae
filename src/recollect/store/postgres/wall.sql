-- A statement sees the rows of the owner it was sent for; what looks after the whole store says "*".
alter table {table} enable row level security;
alter table {table} force row level security;
drop policy if exists own on {table};
drop policy if exists whole on {table};
create policy own on {table} using (
    owner = (select case when current_setting('recollect.owner', true) ~ '^[0-9a-f-]{36}$'
             then current_setting('recollect.owner', true)::uuid end)
);
create policy whole on {table} using ((select current_setting('recollect.owner', true)) = '*');
