-- The change feed: which providers each committed transaction changed. Tables of our own, beside those of OpenStack
-- Placement, which does not see them.

CREATE TABLE placement_feed_writers (
  id int NOT NULL AUTO_INCREMENT,
  started_at datetime NOT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE placement_feed_changes (
  writer_id int NOT NULL,
  seq bigint NOT NULL,
  provider_id int NOT NULL,
  settled bigint NOT NULL,
  created_at datetime NOT NULL,
  PRIMARY KEY (writer_id, seq, provider_id),
  KEY placement_feed_changes_created_at_idx (created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
