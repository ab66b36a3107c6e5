INSERT INTO "profile" VALUES('default',0);
INSERT INTO "journal_run" VALUES(1,'default',1,'connections disable','ifttt connections disable --jobs 1',0,'run-245eks0ibs3fl.lock',3,1795738760832,1795738761105,'done',0,NULL,NULL);
INSERT INTO "journal_run" VALUES(2,'default',2,'connections undo','ifttt connections undo --jobs 1',0,'run-35qly1j1xkcv7.lock',3,1795738761134,1795738761297,'done',0,NULL,NULL);
INSERT INTO "journal_item" VALUES(1,0,'c1','disable','enabled','disabled','done',NULL);
INSERT INTO "journal_item" VALUES(1,1,'c2','disable','enabled','disabled','done',NULL);
INSERT INTO "journal_item" VALUES(1,2,'c3','disable','enabled','disabled','done',NULL);
INSERT INTO "journal_item" VALUES(2,0,'c1','enable','disabled','enabled','done',NULL);
INSERT INTO "journal_item" VALUES(2,1,'c2','enable','disabled','enabled','done',NULL);
INSERT INTO "journal_item" VALUES(2,2,'c3','enable','disabled','enabled','done',NULL);
