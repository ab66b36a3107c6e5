INSERT INTO "profile" VALUES('default',0);
INSERT INTO "journal_run" VALUES(1,'default',1,'connections disable','ifttt connections disable --jobs 1',0,'run-2nl6wbx4nrc2c.lock',5,1795738758143,NULL,'running',0,NULL,NULL);
INSERT INTO "journal_item" VALUES(1,0,'c1','disable','enabled',NULL,'sent',NULL);
INSERT INTO "journal_item" VALUES(1,1,'c2','disable','enabled',NULL,'sent',NULL);
INSERT INTO "journal_item" VALUES(1,2,'c3','disable','enabled',NULL,'sent',NULL);
INSERT INTO "journal_item" VALUES(1,3,'c4','disable','enabled',NULL,'sent',NULL);
INSERT INTO "journal_item" VALUES(1,4,'c5','disable','enabled',NULL,'sent',NULL);
