-- cache.db as schema 1 wrote it, with a row of everything.
PRAGMA application_id = 1229345859;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE answer (
  mirror INTEGER NOT NULL,
  id TEXT NOT NULL,
  raw BLOB NOT NULL,
  PRIMARY KEY (mirror, id),
  FOREIGN KEY (mirror, id) REFERENCES connection (mirror, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO "answer" VALUES(2,'Kd7Rn2Qx',X'7B2274797065223A22636F6E6E656374696F6E222C226964223A224B6437526E325178227D');
CREATE TABLE applet (
  list INTEGER NOT NULL REFERENCES applet_list (number) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  id TEXT NOT NULL,
  fetched_at INTEGER NOT NULL,
  document BLOB NOT NULL,
  raw BLOB NOT NULL,
  PRIMARY KEY (list, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE applet_list (
  number INTEGER PRIMARY KEY,
  profile TEXT NOT NULL,
  service TEXT NOT NULL,
  user_id TEXT NOT NULL,
  fetched_at INTEGER NOT NULL,
  UNIQUE (profile, service, user_id)
) STRICT;
CREATE TABLE connection (
  mirror INTEGER NOT NULL REFERENCES mirror (number) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  id TEXT NOT NULL,
  status TEXT NOT NULL,
  fetched_at INTEGER NOT NULL,
  document BLOB,
  PRIMARY KEY (mirror, name, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "connection" VALUES(2,'','mB3xWq7T','unknown',0,NULL);
INSERT INTO "connection" VALUES(2,'Lamps on at dusk','Kd7Rn2Qx','enabled',1790000000000,X'7B226964223A224B6437526E325178222C226E616D65223A224C616D7073206F6E206174206475736B22');
CREATE TABLE mirror (
  number INTEGER PRIMARY KEY,
  profile TEXT NOT NULL UNIQUE,
  generation INTEGER NOT NULL,
  asked_as TEXT NOT NULL DEFAULT ''
) STRICT;
INSERT INTO "mirror" VALUES(1,'default',1496811890955780098,'');
INSERT INTO "mirror" VALUES(2,'work',4291150581902344193,'');
CREATE UNIQUE INDEX connection_by_id ON connection (mirror, id);
CREATE INDEX connection_by_age ON connection (mirror, fetched_at);
COMMIT;
