-- Named workloads. A workload exists while one of its consumers does.
CREATE TABLE placement_workloads (
  id int NOT NULL AUTO_INCREMENT,
  project_id int NOT NULL,
  name varchar(255) NOT NULL,
  topology mediumtext NOT NULL,
  generation int NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_placement_workloads0project_name (project_id, name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
