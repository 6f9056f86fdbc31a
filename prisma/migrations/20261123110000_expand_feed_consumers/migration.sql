-- Which consumer a row is about. Until now that was told by `provider_id`, in numbers that version 0.1.0 takes for providers and fails on;
-- now `provider_id` merely numbers such rows of a commit, in a way that every version takes for providers that do not exist.

ALTER TABLE placement_feed_changes
  ADD COLUMN consumer_id int NULL;
