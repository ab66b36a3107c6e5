INSERT INTO "profile" VALUES('default',0);
INSERT INTO "journal_run" VALUES(1,'default',1,'connections enable','ifttt connections enable --jobs 1',0,'run-1lz7e8eo4l72b.lock',3,1795738757272,1795738757422,'done',0,NULL,NULL);
INSERT INTO "journal_item" VALUES(1,0,'off-1','enable','disabled','enabled','done',NULL);
INSERT INTO "journal_item" VALUES(1,1,'off-2','enable','disabled','enabled','done',NULL);
INSERT INTO "journal_item" VALUES(1,2,'c3','enable','enabled','enabled','done',NULL);
