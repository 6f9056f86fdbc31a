-- The owners of providers and of their inventories, traits and aggregates. Servers of 1.0 ignore it.
CREATE TABLE placement_ownerships (
  provider_id int NOT NULL,
  kind varchar(10) NOT NULL,
  object_id int NOT NULL,
  owner varchar(200) NOT NULL,
  PRIMARY KEY (provider_id, kind, object_id),
  KEY placement_ownerships_owner_idx (owner, kind, provider_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
