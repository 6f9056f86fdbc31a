-- A small cloud as OpenStack Placement writes it: a host with two NUMA nodes, of which an instance takes a part. Its catalog is
-- older than ours: it lacks classes and traits.

INSERT INTO resource_classes (created_at, id, name) VALUES
  ('2021-05-01 10:00:00', 0, 'VCPU'), ('2021-05-01 10:00:00', 1, 'MEMORY_MB'), ('2021-05-01 10:00:00', 2, 'DISK_GB'),
  ('2021-05-01 10:00:00', 3, 'PCI_DEVICE'), ('2021-05-01 10:00:00', 4, 'SRIOV_NET_VF');
INSERT INTO traits (id, name) VALUES
  (1, 'HW_NUMA_ROOT'), (2, 'HW_CPU_X86_AVX2'), (3, 'MISC_SHARES_VIA_AGGREGATE'), (4, 'CUSTOM_GOLD');
INSERT INTO resource_providers
  (created_at, updated_at, id, uuid, name, generation, root_provider_id, parent_provider_id) VALUES
  ('2021-05-01 10:00:01', '2021-06-01 10:00:00', 1, '0a000000-0000-4000-8000-000000000001', 'cn1', 4, 1, NULL),
  ('2021-05-01 10:00:02', NULL, 2, '0a000000-0000-4000-8000-000000000002', 'cn1-numa0', 2, 1, 1),
  ('2021-05-01 10:00:03', NULL, 3, '0a000000-0000-4000-8000-000000000003', 'cn1-größe', 2, 1, 1);
INSERT INTO inventories
  (created_at, resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
VALUES
  ('2021-05-01 10:00:04', 1, 2, 1000, 10, 1, 1000, 1, 1),
  ('2021-05-01 10:00:04', 2, 0, 16, 0, 1, 16, 1, 4.5),
  ('2021-05-01 10:00:04', 3, 0, 16, 0, 1, 16, 1, 1);
INSERT INTO resource_provider_traits (created_at, trait_id, resource_provider_id) VALUES
  ('2021-05-01 10:00:05', 2, 1), ('2021-05-01 10:00:05', 1, 2), ('2021-05-01 10:00:05', 1, 3), ('2021-05-01 10:00:05', 4, 3);
INSERT INTO placement_aggregates (created_at, id, uuid) VALUES
  ('2021-05-01 10:00:06', 1, '0b000000-0000-4000-8000-000000000001');
INSERT INTO resource_provider_aggregates (created_at, resource_provider_id, aggregate_id) VALUES
  ('2021-05-01 10:00:06', 1, 1);
INSERT INTO projects (created_at, id, external_id) VALUES ('2021-05-02 10:00:00', 1, 'a-project');
INSERT INTO users (created_at, id, external_id) VALUES ('2021-05-02 10:00:00', 1, 'a-user');
INSERT INTO consumers (created_at, id, uuid, project_id, user_id, generation) VALUES
  ('2021-05-02 10:00:00', 1, '0c000000-0000-4000-8000-000000000001', 1, 1, 1);
INSERT INTO allocations (created_at, resource_provider_id, consumer_id, resource_class_id, used) VALUES
  ('2021-05-02 10:00:00', 1, '0c000000-0000-4000-8000-000000000001', 2, 40),
  ('2021-05-02 10:00:00', 2, '0c000000-0000-4000-8000-000000000001', 0, 4);
