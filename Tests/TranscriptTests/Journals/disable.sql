INSERT INTO "profile" VALUES('default',0);
INSERT INTO "journal_run" VALUES(1,'default',1,'connections disable','ifttt connections disable --jobs 1',0,'run-2394w9te7b2k7.lock',3,1795738756421,1795738756701,'done',0,NULL,NULL);
INSERT INTO "journal_item" VALUES(1,0,'c1','disable','enabled','disabled','done',NULL);
INSERT INTO "journal_item" VALUES(1,1,'c2','disable','enabled','disabled','done',NULL);
INSERT INTO "journal_item" VALUES(1,2,'c3','disable','enabled','disabled','done',NULL);
