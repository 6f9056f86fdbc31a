-- The version of the process, so that a feature that servers of 1.0 lack is not used beside them. Servers of 1.0 leave it null.
ALTER TABLE placement_feed_writers ADD COLUMN version varchar(40) NULL;
