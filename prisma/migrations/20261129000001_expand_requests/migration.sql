-- The requests that consumers were placed by, each text once. The body is JSON in the form of AllocationCandidatesInput.
CREATE TABLE placement_requests (
  id int NOT NULL AUTO_INCREMENT,
  hash varchar(64) NOT NULL,
  body mediumtext NOT NULL,
  created_at datetime NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_placement_requests0hash (hash)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
