-- The projects of each group. A project is in at most one.
CREATE TABLE placement_quota_group_projects (
  project_id int NOT NULL,
  group_id int NOT NULL,
  PRIMARY KEY (project_id),
  KEY placement_quota_group_projects_group_id_idx (group_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
