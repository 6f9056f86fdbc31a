-- The version of all quotas together, in one row. A transaction that was validated with another version is not committed.
CREATE TABLE placement_quota_state (
  id int NOT NULL,
  version int NOT NULL,
  ignored_types text NOT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
