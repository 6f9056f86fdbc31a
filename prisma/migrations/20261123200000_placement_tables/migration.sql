-- The tables of OpenStack Placement's newest schema: same names, columns, types and keys.
-- Every statement ends with a semicolon at the end of its last line; the migrator splits there.
-- Names, uuids and external ids compare byte by byte; deletes never cascade.

CREATE TABLE resource_providers (
  created_at datetime NULL,
  updated_at datetime NULL,
  id int NOT NULL AUTO_INCREMENT,
  uuid varchar(36) NOT NULL,
  name varchar(200) NULL,
  generation int NULL,
  root_provider_id int NULL,
  parent_provider_id int NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_resource_providers0uuid (uuid),
  UNIQUE KEY uniq_resource_providers0name (name),
  KEY resource_providers_parent_provider_id_idx (parent_provider_id),
  KEY resource_providers_root_provider_id_idx (root_provider_id),
  CONSTRAINT resource_providers_ibfk_1 FOREIGN KEY (parent_provider_id) REFERENCES resource_providers (id),
  CONSTRAINT resource_providers_ibfk_2 FOREIGN KEY (root_provider_id) REFERENCES resource_providers (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE inventories (
  created_at datetime NULL,
  updated_at datetime NULL,
  id int NOT NULL AUTO_INCREMENT,
  resource_provider_id int NOT NULL,
  resource_class_id int NOT NULL,
  total int NOT NULL,
  reserved int NOT NULL,
  min_unit int NOT NULL,
  max_unit int NOT NULL,
  step_size int NOT NULL,
  allocation_ratio float NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_inventories0resource_provider_resource_class (resource_provider_id, resource_class_id),
  KEY inventories_resource_class_id_idx (resource_class_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE allocations (
  created_at datetime NULL,
  updated_at datetime NULL,
  id int NOT NULL AUTO_INCREMENT,
  resource_provider_id int NOT NULL,
  consumer_id varchar(36) NOT NULL,
  resource_class_id int NOT NULL,
  used int NOT NULL,
  PRIMARY KEY (id),
  KEY allocations_consumer_id_idx (consumer_id),
  KEY allocations_resource_class_id_idx (resource_class_id),
  KEY allocations_resource_provider_class_used_idx (resource_provider_id, resource_class_id, used)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE consumer_types (
  created_at datetime NULL,
  updated_at datetime NULL,
  id int NOT NULL AUTO_INCREMENT,
  name varchar(255) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_consumer_types0name (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE consumers (
  created_at datetime NULL,
  updated_at datetime NULL,
  id int NOT NULL AUTO_INCREMENT,
  uuid varchar(36) NOT NULL,
  project_id int NOT NULL,
  user_id int NOT NULL,
  generation int NOT NULL DEFAULT 0,
  consumer_type_id int NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_consumers0uuid (uuid),
  KEY consumers_consumer_type_id_idx (consumer_type_id),
  KEY consumers_project_id_user_id_uuid_idx (project_id, user_id, uuid),
  KEY consumers_project_id_uuid_idx (project_id, uuid),
  CONSTRAINT consumers_consumer_type_id_fkey FOREIGN KEY (consumer_type_id) REFERENCES consumer_types (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE projects (
  created_at datetime NULL,
  updated_at datetime NULL,
  id int NOT NULL AUTO_INCREMENT,
  external_id varchar(255) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_projects0external_id (external_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE users (
  created_at datetime NULL,
  updated_at datetime NULL,
  id int NOT NULL AUTO_INCREMENT,
  external_id varchar(255) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_users0external_id (external_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Ids below 10000 belong to the standard classes.
CREATE TABLE resource_classes (
  created_at datetime NULL,
  updated_at datetime NULL,
  id int NOT NULL AUTO_INCREMENT,
  name varchar(255) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_resource_classes0name (name)
) ENGINE=InnoDB AUTO_INCREMENT=10000 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE traits (
  created_at datetime NULL,
  updated_at datetime NULL,
  id int NOT NULL AUTO_INCREMENT,
  name varchar(255) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_traits0name (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE resource_provider_traits (
  created_at datetime NULL,
  updated_at datetime NULL,
  trait_id int NOT NULL,
  resource_provider_id int NOT NULL,
  PRIMARY KEY (trait_id, resource_provider_id),
  KEY resource_provider_traits_resource_provider_trait_idx (resource_provider_id, trait_id),
  CONSTRAINT resource_provider_traits_ibfk_1 FOREIGN KEY (resource_provider_id) REFERENCES resource_providers (id),
  CONSTRAINT resource_provider_traits_ibfk_2 FOREIGN KEY (trait_id) REFERENCES traits (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE placement_aggregates (
  created_at datetime NULL,
  updated_at datetime NULL,
  id int NOT NULL AUTO_INCREMENT,
  uuid varchar(36) NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uniq_placement_aggregates0uuid (uuid)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE resource_provider_aggregates (
  created_at datetime NULL,
  updated_at datetime NULL,
  resource_provider_id int NOT NULL,
  aggregate_id int NOT NULL,
  PRIMARY KEY (resource_provider_id, aggregate_id),
  KEY resource_provider_aggregates_aggregate_id_idx (aggregate_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
