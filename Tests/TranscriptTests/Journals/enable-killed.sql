INSERT INTO "profile" VALUES('default',0);
INSERT INTO "journal_run" VALUES(1,'default',1,'connections enable','ifttt connections enable --jobs 1',0,'run-15k1c3ccdanv2.lock',3,1795738759834,NULL,'running',0,NULL,NULL);
INSERT INTO "journal_item" VALUES(1,0,'off-1','enable','disabled',NULL,'sent',NULL);
INSERT INTO "journal_item" VALUES(1,1,'off-2','enable','disabled',NULL,'sent',NULL);
INSERT INTO "journal_item" VALUES(1,2,'off-3','enable','disabled',NULL,'sent',NULL);
