-- The consumers that keep former allocations of a moved one. Quotas do not count them.
CREATE TABLE placement_kept_consumers (
  consumer_id int NOT NULL,
  created_at datetime NOT NULL,
  PRIMARY KEY (consumer_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
