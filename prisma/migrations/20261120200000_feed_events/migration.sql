-- What a row of the change feed tells to those who watch: the provider as it is after the commit, and the tree that it left.
-- No uuid: the row tells them nothing. No generation: the provider is gone.

ALTER TABLE placement_feed_changes
  ADD COLUMN uuid varchar(36) NULL,
  ADD COLUMN generation int NULL,
  ADD COLUMN root_id int NULL,
  ADD COLUMN former_root_id int NULL;
