-- The store as schema 11 made it. The other files of this folder have the rows of its journal.
PRAGMA application_id = 1229345876;
PRAGMA user_version = 11;
BEGIN TRANSACTION;
CREATE TABLE choice (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE credential (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  user_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  sealed BLOB NOT NULL,
  saved_at INTEGER NOT NULL,
  UNIQUE (profile, kind, user_id)
) STRICT;
CREATE TABLE data_key (
  number INTEGER NOT NULL PRIMARY KEY CHECK (number = 1),
  id TEXT NOT NULL,
  source TEXT NOT NULL,
  salt BLOB NOT NULL,
  made_at INTEGER NOT NULL
) STRICT;
CREATE TABLE journal_item (
  run INTEGER NOT NULL REFERENCES journal_run (number) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  action TEXT NOT NULL,
  status_before TEXT,
  status_after TEXT,
  state TEXT NOT NULL, user_id TEXT,
  PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE journal_run (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
  turn INTEGER NOT NULL UNIQUE,
  command TEXT NOT NULL,
  words TEXT NOT NULL,
  is_forced INTEGER NOT NULL,
  lock TEXT NOT NULL,
  items INTEGER NOT NULL,
  begun_at INTEGER NOT NULL,
  ended_at INTEGER,
  state TEXT NOT NULL
, is_over_users INTEGER NOT NULL DEFAULT 0, undoes INTEGER, shard TEXT) STRICT;
CREATE TABLE location_choice (
  profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
  connection TEXT NOT NULL,
  is_on INTEGER NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (profile, connection)
) STRICT, WITHOUT ROWID;
CREATE TABLE location_event (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
  record_id TEXT NOT NULL UNIQUE,
  region TEXT NOT NULL,
  connection TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('entry', 'exit')),
  occurred_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  tried_at INTEGER,
  problem TEXT,
  is_refused INTEGER NOT NULL DEFAULT 0
, owner TEXT) STRICT;
CREATE TABLE location_side (
  profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
  region TEXT NOT NULL,
  latitude REAL NOT NULL,
  longitude REAL NOT NULL,
  radius REAL NOT NULL,
  side TEXT NOT NULL,
  seen_at INTEGER,
  PRIMARY KEY (profile, region)
) STRICT, WITHOUT ROWID;
CREATE TABLE pending_connection (
  profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
  id TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (profile, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE plugin (
  name TEXT NOT NULL PRIMARY KEY,
  version TEXT NOT NULL,
  kind TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  files TEXT NOT NULL,
  origin TEXT NOT NULL,
  installed_at INTEGER NOT NULL,
  credentials TEXT NOT NULL,
  environment TEXT NOT NULL,
  capabilities TEXT NOT NULL
, uses_browser INTEGER NOT NULL DEFAULT 0, read_paths TEXT NOT NULL DEFAULT '[]', write_paths TEXT NOT NULL DEFAULT '[]', provenance TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE plugin_index (
  name TEXT NOT NULL PRIMARY KEY,
  location TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  document BLOB NOT NULL
) STRICT;
CREATE TABLE plugin_link (
  name TEXT NOT NULL PRIMARY KEY,
  version TEXT NOT NULL,
  folder TEXT NOT NULL,
  kind TEXT NOT NULL,
  linked_at INTEGER NOT NULL,
  credentials TEXT NOT NULL,
  environment TEXT NOT NULL,
  capabilities TEXT NOT NULL,
  uses_browser INTEGER NOT NULL,
  read_paths TEXT NOT NULL,
  write_paths TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE plugin_signer (
  label TEXT NOT NULL PRIMARY KEY,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  valid_before INTEGER,
  added_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE previous_plugin (
  name TEXT NOT NULL PRIMARY KEY,
  folder TEXT NOT NULL,
  version TEXT NOT NULL,
  kind TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  files TEXT NOT NULL,
  origin TEXT NOT NULL,
  installed_at INTEGER NOT NULL,
  credentials TEXT NOT NULL,
  environment TEXT NOT NULL,
  capabilities TEXT NOT NULL,
  uses_browser INTEGER NOT NULL,
  read_paths TEXT NOT NULL,
  write_paths TEXT NOT NULL,
  provenance TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE profile (
  name TEXT NOT NULL PRIMARY KEY,
  generation INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE profile_setting (
  profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (profile, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE tracked (
  profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
  id TEXT NOT NULL,
  tracked_at INTEGER NOT NULL,
  PRIMARY KEY (profile, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE webhook (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
  received_at INTEGER NOT NULL,
  type TEXT NOT NULL,
  event TEXT NOT NULL,
  request_id TEXT,
  is_repeated INTEGER NOT NULL DEFAULT 0,
  headers TEXT NOT NULL,
  body BLOB NOT NULL,
  forward_to TEXT,
  forward_state TEXT CHECK (forward_state IN ('waiting', 'delivered', 'rejected')),
  forward_status INTEGER,
  forward_tries INTEGER NOT NULL DEFAULT 0,
  forward_due INTEGER,
  forward_problem TEXT
, exec_state TEXT CHECK (exec_state IN ('waiting', 'succeeded', 'failed')), exec_status INTEGER) STRICT;
CREATE INDEX journal_run_by_turn ON journal_run (profile, turn);
CREATE INDEX location_event_order ON location_event (profile, is_refused, number);
CREATE INDEX webhook_order ON webhook (profile, number);
CREATE INDEX webhook_request ON webhook (profile, request_id) WHERE request_id IS NOT NULL;
CREATE INDEX webhook_waiting ON webhook (profile, forward_to, number) WHERE forward_state = 'waiting';
CREATE INDEX webhook_command ON webhook (profile, number) WHERE exec_state = 'waiting';
CREATE INDEX journal_item_by_user ON journal_item (run, user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX plugin_by_kind ON plugin (kind, name, capabilities, credentials);
COMMIT;
