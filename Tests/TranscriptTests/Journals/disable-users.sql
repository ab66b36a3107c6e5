INSERT INTO "profile" VALUES('default',0);
INSERT INTO "journal_run" VALUES(1,'default',1,'connections disable','ifttt connections disable --yes --jobs 1 --users users.jsonl',0,'run-1y9fodiubfevp.lock',5,1795738771680,1795738772078,'done',1,NULL,NULL);
INSERT INTO "journal_item" VALUES(1,0,'Kd7Rn2Qx','apply','{"status":"enabled","configuration":null}','{"status":"disabled","configuration":null}','done','u-1');
INSERT INTO "journal_item" VALUES(1,1,'Kd7Rn2Qx','apply','{"status":"enabled","configuration":null}','{"status":"disabled","configuration":null}','done','u-2');
INSERT INTO "journal_item" VALUES(1,2,'Kd7Rn2Qx','apply','{"status":"enabled","configuration":null}','{"status":"disabled","configuration":null}','done','u-3');
INSERT INTO "journal_item" VALUES(1,3,'Kd7Rn2Qx','apply','{"status":"enabled","configuration":null}','{"status":"disabled","configuration":null}','done','u-4');
INSERT INTO "journal_item" VALUES(1,4,'Kd7Rn2Qx','apply','{"status":"enabled","configuration":null}','{"status":"disabled","configuration":null}','done','u-5');
