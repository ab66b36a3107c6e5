INSERT INTO "profile" VALUES('default',0);
INSERT INTO "journal_run" VALUES(1,'default',1,'connections disable','ifttt connections disable --yes --jobs 1 --users users.jsonl',0,'run-q3x1y5trncgw.lock',0,1795738772471,NULL,'running',1,NULL,NULL);
INSERT INTO "journal_item" VALUES(1,0,'Kd7Rn2Qx','apply','{"status":"enabled","configuration":null}','{"status":"disabled","configuration":null}','done','u-1');
INSERT INTO "journal_item" VALUES(1,1,'Kd7Rn2Qx','apply','{"status":"enabled","configuration":null}','{"status":"disabled","configuration":null}','done','u-2');
INSERT INTO "journal_item" VALUES(1,2,'Kd7Rn2Qx','apply','{"status":"enabled","configuration":null}','{"id":"Kd7Rn2Qx","status":"disabled"}','sent','u-3');
