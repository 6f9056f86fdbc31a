-- Takes back what OpenStack Placement's migrations after b5c396305c25 (Train to Wallaby, 2019 to 2021) change.

ALTER TABLE consumers DROP FOREIGN KEY consumers_consumer_type_id_fkey;
ALTER TABLE consumers DROP INDEX consumers_consumer_type_id_idx, DROP COLUMN consumer_type_id;
DROP TABLE consumer_types;
CREATE INDEX inventories_resource_provider_id_idx ON inventories (resource_provider_id);
CREATE INDEX inventories_resource_provider_resource_class_idx
  ON inventories (resource_provider_id, resource_class_id);
CREATE INDEX ix_placement_aggregates_uuid ON placement_aggregates (uuid);
CREATE INDEX resource_providers_name_idx ON resource_providers (name);
CREATE INDEX resource_providers_uuid_idx ON resource_providers (uuid);
UPDATE alembic_version SET version_num = 'b5c396305c25';
