-- The schema of a SQLite store, in steps that each lead from one version to the next. No step is edited any more, not
-- even by a blank line; a new one is added at the end.

-- step 1: the first edition
-- The owner leads every key. Items, vectors and changes are numbered by the owner's number times 2**40 plus a count
-- of the owner's own, so that one integer leads with the owner, never comes twice, and tells the order of writing.
-- Long columns stand last, so that a filter on a short one need not read them.

create table owners (
    number integer primary key autoincrement, name text not null unique,
    version integer not null, naming integer not null, erasures integer not null,
    items integer not null, vectors integer not null, changes integer not null,
    last_learned integer
) strict;

create table models (number integer primary key, name text not null unique, dim integer not null) strict;

create table items (
    item integer primary key, owner integer not null references owners, id text not null, kind integer not null,
    since integer not null, until integer not null, length integer not null, touched integer
) strict;
create unique index items_by_id on items (owner, id);
create index items_touched on items (owner, touched) where touched is not null;

create table messages (
    item integer primary key references items, owner integer not null, id text not null,
    session text not null, role text not null, at integer not null, origin text not null, name text, learned integer,
    content text not null, raw text
) strict;
create table unsettled (item integer primary key references messages) strict;
create index messages_by_session on messages (owner, session, item, at);

create table facts (
    item integer primary key references items, owner integer not null, id text not null,
    subject text not null, subject_key text not null, attribute text not null, value text not null,
    value_key text not null, named integer not null, category text not null, said integer not null,
    learned integer not null, since integer, until integer, retired integer,
    origin text not null, confidence real not null,
    replaces text, replaced_by text, disputes text, pinned integer not null, confirmations integer not null,
    text text not null, why text not null, sources text not null
) strict;
create index facts_by_subject on facts (owner, subject_key, attribute, value_key);
create index facts_by_attribute on facts (owner, attribute);
create index facts_by_said on facts (owner, said, learned);
create index facts_pinned on facts (owner) where pinned = 1;
create index facts_named on facts (owner) where named = 1;
create index facts_disputed on facts (owner) where disputes is not null;
create index facts_unconfirmed on facts (owner) where origin not in ('user', 'operator') and confirmations = 0 and disputes is null;
create index facts_of_tasks on facts (owner) where category = 'request';

create table notes (
    item integer primary key references items, owner integer not null, id text not null,
    path text not null, version integer not null, learned integer not null, pinned integer not null, retired integer,
    origin text not null, text text not null
) strict;
create index notes_by_path on notes (owner, path);
create index notes_current on notes (owner) where retired is null;

create table changes (
    number integer primary key, owner integer not null references owners, id text not null,
    kind text not null, record text not null, record_id text not null, at integer not null, origin text not null,
    undoes text, group_id text not null, why text not null, before text, after text
) strict;
create unique index changes_by_id on changes (owner, id);
create index changes_by_record on changes (owner, record_id);
create index changes_by_group on changes (owner, group_id);

create table sources (
    owner integer not null, message text not null, fact text not null, primary key (owner, message, fact)
) strict, without rowid;

create table vectors (
    number integer primary key, owner integer not null, model integer not null references models,
    item integer not null, vector blob not null
) strict;
create unique index vectors_by_item on vectors (owner, item, model);

create table tokens (
    number integer primary key references vectors on delete cascade, packed blob not null
) strict;

create virtual table words using fts5(terms, columnsize=0, tokenize="ascii tokenchars '!""#$%&''''()*+,-./:;<=>?@[\]^_`{|}~'");
insert into words(words, rank) values ('secure-delete', 1);
create virtual table postings using fts5vocab(words, instance);
create virtual table vocabulary using fts5vocab(words, row);

-- step 2: what stores of the last days before 0.1.0 may lack, when step 1 was still edited

create index if not exists facts_by_said on facts (owner, said, learned);
create index if not exists facts_disputed on facts (owner) where disputes is not null;
create index if not exists facts_unconfirmed on facts (owner) where origin not in ('user', 'operator') and confirmations = 0 and disputes is null;

-- step 3: what holds before and after a moment, however many values an attribute had

create index if not exists facts_in_time on facts (owner, subject_key, attribute, coalesce(since, said))
    where retired is null;

-- step 4: what was erased: how much, never what
-- `request` is a hash of what was asked to be erased, and of whose. `state` is 0: its words may still stand in the
-- files, 1: they are pushed out, 2: a scan found none of them, 3: but other records had some.

create table if not exists erasures (
    request text primary key, at integer not null, state integer not null,
    messages integer not null, facts integer not null, notes integer not null, changes integer not null,
    vectors integer not null
) strict, without rowid;
create index if not exists erasures_unfinished on erasures (request) where state = 0;

-- step 5: answers to requests, so that one that is sent again is done once

create table if not exists answers (
    owner blob not null, key text not null, print text not null, at integer not null, undo text not null,
    body text not null, primary key (owner, key)
) strict;
create index if not exists answers_by_age on answers (at);

-- step 6: how often reading a message has failed
alter table unsettled add column failures integer not null default 0
-- step 7: who is called so, by name and by relation, and what is pinned: found without a look at all names and notes

create index facts_named_by_value on facts (owner, value_key) where named = 1;
create index facts_named_by_relation on facts (owner, attribute, subject_key, said, learned, id) where named = 1;
create index notes_pinned on notes (owner) where pinned = 1 and retired is null;

-- step 8: what was said later against a fact, and of which facts a message ever said something

alter table facts add column doubted_by text;
create table doubts (
    owner integer not null, message text not null, fact text not null, primary key (owner, message, fact)
) strict, without rowid;
