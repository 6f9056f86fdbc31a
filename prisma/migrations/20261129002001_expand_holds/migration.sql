-- The consumers that end by themselves at a time.
CREATE TABLE placement_holds (
  consumer_id int NOT NULL,
  expires_at datetime(3) NOT NULL,
  generation int NOT NULL,
  PRIMARY KEY (consumer_id),
  KEY placement_holds_expires_at_idx (expires_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
