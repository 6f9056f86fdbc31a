-- The request of each consumer that has one, and the member of its workload.
CREATE TABLE placement_consumer_requests (
  consumer_id int NOT NULL,
  request_id int NOT NULL,
  member_id int NULL,
  created_at datetime NOT NULL,
  PRIMARY KEY (consumer_id),
  KEY placement_consumer_requests_request_id_idx (request_id),
  KEY placement_consumer_requests_member_id_idx (member_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
