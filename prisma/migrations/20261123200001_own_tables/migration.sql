-- The tables that this program adds to those of OpenStack Placement, which ignores them. `adopt` applies this migration to a
-- database of OpenStack Placement; the one before only creates what is there already.

-- The processes that write to the change feed. The row is the process's lease: without it none of its writes is committed.
CREATE TABLE placement_feed_writers (
  id int NOT NULL,
  holder varchar(255) NOT NULL,
  started_at datetime NOT NULL,
  expires_at datetime NOT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The change feed: what each committed transaction changed.
CREATE TABLE placement_feed_changes (
  writer_id int NOT NULL,
  seq bigint NOT NULL,
  kind varchar(10) NOT NULL,
  object_id int NOT NULL,
  low_watermark bigint NOT NULL,
  created_at datetime NOT NULL,
  uuid varchar(36) NULL,
  generation int NULL,
  root_id int NULL,
  former_root_id int NULL,
  changes int NULL,
  usage_change varchar(255) NULL,
  project_id int NULL,
  former_project_id int NULL,
  PRIMARY KEY (writer_id, seq, kind, object_id),
  KEY placement_feed_changes_created_at_idx (created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The names that users give to aggregates, which OpenStack Placement does not know.
CREATE TABLE placement_aggregate_names (
  aggregate_uuid varchar(36) NOT NULL,
  name varchar(200) NOT NULL,
  created_at datetime NOT NULL,
  PRIMARY KEY (aggregate_uuid),
  UNIQUE KEY uniq_placement_aggregate_names0name (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
