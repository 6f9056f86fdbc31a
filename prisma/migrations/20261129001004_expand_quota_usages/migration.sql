-- The counted usage of each limited project or group. A write compares and sets the version of each row that it changes.
CREATE TABLE placement_quota_usages (
  id int NOT NULL AUTO_INCREMENT,
  owner_kind varchar(7) NOT NULL,
  owner_id int NOT NULL,
  class_id int NOT NULL,
  used bigint NOT NULL,
  version int NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_placement_quota_usages0owner_class (owner_kind, owner_id, class_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
