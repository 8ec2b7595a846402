/** The tables of an index and the numbers that say whether this version of hone can read it. */

/**
 * Layout of the tables and blobs. An index with another number is not opened but rebuilt by `hone index`.
 * 1: first layout.
 * 2: past commits.
 * 3: checksums of posting lists and pages.
 * 4: checksums of all rows, and lists of what is there, so that a row that cannot be found is noticed.
 * 5: vectors of the titles of files.
 */
export const FORMAT_VERSION = 5

/**
 * What goes into the tables: chunk borders, words, fields. Bumped when the same files give other rows.
 * 1: first.
 * 2: blanks, dashes and quotation marks beyond ASCII separate words; composed and decomposed accents are one.
 */
export const FEATURE_VERSION = 2

// Every "sum" is a checksum (checksum.ts). Where rows of a table are renumbered (compaction.ts), their ids are added to
// it, so that it can be renumbered with them.
export const SCHEMA = `
-- Facts about the whole (facts.ts).
create table meta (key text primary key, value text not null, sum integer not null) without rowid;

create table files (
  id integer primary key,
  path text not null unique,
  language text not null,
  bytes integer not null,
  lines integer not null,
  mtime_ms real not null,
  ctime_ms real not null,
  inode integer not null,
  hash text not null,
  symbols integer not null,       -- how many rows of "symbols" it has
  sum integer not null
);

create table skipped (
  path text primary key,
  reason text not null,
  detail text not null,
  stamp text,                     -- JSON, where the file was read to find out
  sum integer not null
) without rowid;

create table chunks (
  id integer primary key,
  file integer not null,
  start_line integer not null,
  end_line integer not null,
  kind text not null,
  name text not null,
  scope text not null,
  symbols text not null,          -- names of the symbols that start here, joined by newlines
  sum integer not null
);

create table symbols (
  file integer not null,
  name text not null,
  line integer not null,
  kind text not null,
  scope text not null,
  start_line integer not null,
  end_line integer not null,
  sum integer not null,
  primary key (file, name, line, kind)
) without rowid;

-- Posting lists (postings.ts). list: 'c' documents are chunks (fields body, names, comment),
-- 'f' documents are files (fields file name, folder names, none),
-- 's' documents are files, terms the names of their symbols (how often, none, none).
create table postings (
  list text not null,
  term text not null,
  segment integer not null,
  documents integer not null,
  data blob not null,
  sum integer not null,
  primary key (list, term, segment)
) without rowid;

-- Fixed-width columns in pages (columns.ts): numbers and vectors by chunk id or file id.
-- Past commits in one page a kind (past-pages.ts). Which terms there are (term-directory.ts).
create table pages (
  kind text not null,
  page integer not null,
  data blob not null,
  sum integer not null,
  primary key (kind, page)
) without rowid;
`
