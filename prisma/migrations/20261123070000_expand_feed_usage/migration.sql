-- By how much more of which resource classes is in use of a provider, where the commit changed nothing else of it: so that readers add
-- that to what they know, and need not read the provider again. Null in rows of versions before, and where it is too long to say.

ALTER TABLE placement_feed_changes
  ADD COLUMN usage_change varchar(255) NULL;
