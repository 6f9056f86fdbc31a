-- The epoch of the change feed: another number after each restore of a backup, so that a cursor from before it is told from one of
-- the database as it is now. No row: it has never been restored.

CREATE TABLE placement_feed_epochs (
  epoch bigint NOT NULL,
  started_at datetime NOT NULL,
  PRIMARY KEY (epoch)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
