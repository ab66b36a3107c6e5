-- ifttt.db as schema 3 wrote it, with a row of everything.
PRAGMA application_id = 1229345876;
PRAGMA user_version = 3;
BEGIN TRANSACTION;
CREATE TABLE choice (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "choice" VALUES('profile','work');
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
INSERT INTO "credential" VALUES(1,'work','user_token','u-5521','f74658e675ca31c6',X'D22C1DB100A9BEA24B70C72E77519369BB3ED9F11037230DDF4B4B8B56086C5F64B073C4F5B0F3AE1A0EF5CAC7B1BA9EFB0CF3937D5DBA27E870',1795270097325);
CREATE TABLE data_key (
  number INTEGER NOT NULL PRIMARY KEY CHECK (number = 1),
  id TEXT NOT NULL,
  source TEXT NOT NULL,
  salt BLOB NOT NULL,
  made_at INTEGER NOT NULL
) STRICT;
INSERT INTO "data_key" VALUES(1,'f74658e675ca31c6','file',X'',1795270097324);
CREATE TABLE journal_item (
  run INTEGER NOT NULL REFERENCES journal_run (number) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  action TEXT NOT NULL,
  status_before TEXT,
  status_after TEXT,
  state TEXT NOT NULL,
  PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;
INSERT INTO "journal_item" VALUES(1,0,'Kd7Rn2Qx','disable','enabled','disabled','done');
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
) STRICT;
INSERT INTO "journal_run" VALUES(1,'work',1,'connections disable','ifttt connections disable --profile work --yes',0,'run-3k7jhfp9kj5x.lock',1,1795289974649,1795289974680,'done');
CREATE TABLE pending_connection (
  profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
  id TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (profile, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "pending_connection" VALUES('work','mB3xWq7T',1795270098000);
CREATE TABLE profile (
  name TEXT NOT NULL PRIMARY KEY,
  generation INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
INSERT INTO "profile" VALUES('default',1496811890955780098);
INSERT INTO "profile" VALUES('work',625815729035280387);
CREATE TABLE profile_setting (
  profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (profile, name)
) STRICT, WITHOUT ROWID;
INSERT INTO "profile_setting" VALUES('work','service','lampost');
INSERT INTO "profile_setting" VALUES('work','user_id','u-5521');
CREATE TABLE tracked (
  profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
  id TEXT NOT NULL,
  tracked_at INTEGER NOT NULL,
  PRIMARY KEY (profile, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "tracked" VALUES('work','Kd7Rn2Qx',1795270097591);
INSERT INTO "tracked" VALUES('work','mB3xWq7T',1795270097591);
CREATE INDEX journal_run_by_turn ON journal_run (profile, turn);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('credential',1);
INSERT INTO "sqlite_sequence" VALUES('journal_run',1);
COMMIT;
