-- What the searches of a process exclude, so that `doctor` can compare the servers of a database. Servers of 1.0 leave it null.
ALTER TABLE placement_feed_writers ADD COLUMN excluded_root_traits text NULL;
