-- The schema of a PostgreSQL store, in steps that each lead from one version to the next. No step is edited any more,
-- not even by a blank line; a new one is added at the end. `by owner` marks what can be partitioned.

-- step 1: the first edition
-- The owner is the 128-bit hash of its name, so that a client knows the shard without asking. Items and changes are
-- numbered by the owner's own counts. There are no foreign keys: they would cost a look-up a row, every writer holds
-- the owner's row, and `check` looks for what they would find. `recent` are marks of the newest commits, by which a
-- writer that lost its connection finds out whether its commit came through.

create table owners (
    owner uuid primary key, name text not null, version bigint not null default 0, items bigint not null default 0,
    changes bigint not null default 0, alive bigint not null default 0, letters bigint not null default 0,
    last_learned bigint, recent bigint[] not null default '{}', near text
) /* by owner */;

create table models (number bigint primary key, name text not null, dim integer not null);

create table items (
    owner uuid not null, item bigint not null, id text collate "C" not null, kind smallint not null,
    since bigint not null, until bigint not null, length integer not null, wording bigint not null,
    primary key (owner, item)
) /* by owner */;
create unique index items_by_id on items (owner, id);

create table messages (
    owner uuid not null, item bigint not null, id text collate "C" not null,
    session text collate "C" not null, role text not null, at bigint not null, origin text not null, name text,
    learned bigint, content text not null, raw text, primary key (owner, item)
) /* by owner */;
create index messages_by_session on messages (owner, session, item);

create table unsettled (owner uuid not null, item bigint not null, primary key (owner, item)) /* by owner */;

create table facts (
    owner uuid not null, item bigint not null, id text collate "C" not null,
    subject text not null, subject_key text collate "C" not null, attribute text collate "C" not null,
    value text not null, value_key text collate "C" not null, named smallint not null, category text not null,
    said bigint not null, learned bigint not null, since bigint, until bigint, retired bigint, origin text not null,
    confidence double precision not null, replaces text collate "C", replaced_by text collate "C",
    disputes text collate "C", pinned smallint not null, confirmations integer not null, text text not null,
    why text not null, sources text not null, primary key (owner, item)
) /* by owner */;
create index facts_by_subject on facts (owner, subject_key, attribute, value_key);
create index facts_by_attribute on facts (owner, attribute);
create index facts_by_said on facts (owner, said, learned);
create index facts_pinned on facts (owner) where pinned = 1;
create index facts_named on facts (owner) where named = 1;
create index facts_disputed on facts (owner, item) where disputes is not null;
create index facts_unconfirmed on facts (owner, item)
    where origin not in ('user', 'operator') and confirmations = 0 and disputes is null;
create index facts_of_tasks on facts (owner) where category = 'request';

create table notes (
    owner uuid not null, item bigint not null, id text collate "C" not null, path text collate "C" not null,
    version integer not null, learned bigint not null, pinned smallint not null, retired bigint, origin text not null,
    text text not null, primary key (owner, item)
) /* by owner */;
create index notes_by_path on notes (owner, path);
create index notes_current on notes (owner) where retired is null;

create table changes (
    owner uuid not null, number bigint not null, id text collate "C" not null, kind text not null,
    record text not null, record_id text collate "C" not null, at bigint not null, origin text not null, undoes text,
    group_id text collate "C" not null, why text not null, before text, after text, primary key (owner, number)
) /* by owner */;
create unique index changes_by_id on changes (owner, id);
create index changes_by_record on changes (owner, record_id);
create index changes_by_group on changes (owner, group_id);

create table sources (
    owner uuid not null, message text collate "C" not null, fact text collate "C" not null,
    primary key (owner, message, fact)
) /* by owner */;
create index sources_by_fact on sources (owner, fact);

create table vectors (
    owner uuid not null, model bigint not null, item bigint not null, vector halfvec, tokens bytea,
    primary key (owner, model, item)
) /* by owner */;

create table words (
    owner uuid not null, term text collate "C" not null, item bigint not null, times smallint not null,
    length integer not null, primary key (owner, term, item) include (times, length)
) /* by owner */;

-- step 2: what a store of the time before 0.1.0 may lack, when step 1 was still edited

alter table vectors add column if not exists tokens bytea;
create index if not exists facts_by_said on facts (owner, said, learned);
create index if not exists facts_disputed on facts (owner, item) where disputes is not null;
create index if not exists facts_unconfirmed on facts (owner, item)
    where origin not in ('user', 'operator') and confirmations = 0 and disputes is null;
create index if not exists facts_of_tasks on facts (owner) where category = 'request';

-- step 3: what holds before and after a moment, however many values an attribute had

create index if not exists facts_in_time on facts (owner, subject_key, attribute, (coalesce(since, said)), item)
    where retired is null;

-- step 4: what was erased: how much, never what
-- `request` is a hash of what was asked to be erased.

create table if not exists erasures (
    owner uuid not null, request text collate "C" not null, at bigint not null, state smallint not null,
    messages integer not null, facts integer not null, notes integer not null, changes integer not null,
    vectors integer not null, primary key (owner, request)
) /* by owner */;

-- step 5: answers to requests, so that one that is sent again is done once

create table if not exists answers (
    owner uuid not null, key text collate "C" not null, print text not null, at bigint not null, undo text not null,
    body text not null, primary key (owner, key)
) /* by owner */;

-- step 6: how often reading a message has failed
alter table unsettled add column if not exists failures integer not null default 0
-- step 7: who is called so, by name and by relation, and what is pinned: found without a look at all names and notes

create index facts_named_by_value on facts (owner, value_key) where named = 1;
create index facts_named_by_relation on facts (owner, attribute, subject_key, said, learned, id) where named = 1;
create index notes_pinned on notes (owner) where pinned = 1 and retired is null;

-- step 8: what was said later against a fact, and of which facts a message ever said something

alter table facts add column doubted_by text;
create table doubts (
    owner uuid not null, message text collate "C" not null, fact text collate "C" not null,
    primary key (owner, message, fact)
) /* by owner */;
