-- What people call an aggregate, by its uuid. OpenStack Placement knows no names of aggregates; its tables stay as they are.

CREATE TABLE placement_aggregate_names (
  aggregate_uuid varchar(36) NOT NULL,
  name varchar(200) NOT NULL,
  created_at datetime NOT NULL,
  PRIMARY KEY (aggregate_uuid),
  UNIQUE KEY uniq_placement_aggregate_names0name (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
