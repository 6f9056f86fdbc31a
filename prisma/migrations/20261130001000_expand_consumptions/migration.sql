-- What allocated units of inventories consume of counters, which are inventories of the same provider or of an ancestor.
CREATE TABLE placement_consumptions (
  provider_id int NOT NULL,
  class_id int NOT NULL,
  counter_provider_id int NOT NULL,
  counter_class_id int NOT NULL,
  amount int NOT NULL,
  PRIMARY KEY (provider_id, class_id, counter_provider_id, counter_class_id),
  KEY placement_consumptions_counter_idx (counter_provider_id, counter_class_id, provider_id, class_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
