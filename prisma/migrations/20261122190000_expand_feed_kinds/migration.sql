-- What a commit changed of a provider, as bits; null in rows of versions before. And rows for consumers, which have a uuid of their
-- own column, so that earlier versions pass over them, and below -1 as provider_id their id, negated, less one.

ALTER TABLE placement_feed_changes
  ADD COLUMN kinds int NULL,
  ADD COLUMN consumer_uuid varchar(36) NULL,
  ADD COLUMN project_id int NULL,
  ADD COLUMN former_project_id int NULL;
