-- The members of named workloads. The requests are ids of placement_requests, the preferred one first.
CREATE TABLE placement_workload_members (
  id int NOT NULL AUTO_INCREMENT,
  workload_id int NOT NULL,
  name varchar(64) NOT NULL,
  position int NOT NULL,
  placement varchar(20) NOT NULL,
  request_ids varchar(255) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_placement_workload_members0workload_name (workload_id, name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
