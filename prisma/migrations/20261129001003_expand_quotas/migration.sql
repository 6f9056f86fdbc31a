-- The limits of projects and groups, and those of projects without their own.
CREATE TABLE placement_quotas (
  id int NOT NULL AUTO_INCREMENT,
  owner_kind varchar(7) NOT NULL,
  owner_id int NOT NULL,
  class_id int NOT NULL,
  max_used bigint NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_placement_quotas0owner_class (owner_kind, owner_id, class_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
