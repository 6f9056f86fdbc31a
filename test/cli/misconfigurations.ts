import type { Level } from '../../src/database/diagnosis/finding.js';
import { UNFINISHED_RESTORE } from '../../src/database/migrator.js';

export type Environment = Record<string, string>;

/** What is wrong with a database or its server, and what must be found. */
export interface Planted {
  readonly check: string;
  readonly level: Level;
  readonly found: RegExp;
  readonly plant: readonly string[];
  /** Where no statement is the advice: what it says, and what undoes it. */
  readonly change?: RegExp;
  readonly undo?: readonly string[];
  readonly environment?: Environment;
}

const index = 'allocations_resource_provider_class_used_idx';
const old = (minutes: number): string => `UTC_TIMESTAMP() - INTERVAL ${minutes} MINUTE`;

export const PLANTED: Record<string, Planted> = {
  'commits that are not flushed': {
    check: 'durability',
    level: 'warning',
    found: /^innodb_flush_log_at_trx_commit is 2: a crash loses writes that were acknowledged$/,
    plant: ['SET GLOBAL innodb_flush_log_at_trx_commit = 2'],
  },
  'a binary log that is not flushed': {
    check: 'durability',
    level: 'warning',
    found: /^sync_binlog is 0/,
    plant: ['SET GLOBAL sync_binlog = 0'],
  },
  'too few connections': {
    check: 'connections',
    level: 'problem',
    found: /^max_connections is 20, and one server has up to 25 connections$/,
    plant: ['SET GLOBAL max_connections = 20'],
  },
  'too few connections for the workers': {
    check: 'connections',
    level: 'problem',
    found: /^max_connections is 40, and one server has up to 50 connections$/,
    plant: ['SET GLOBAL max_connections = 40'],
    environment: { PLACEMENT_WORKERS_COUNT: '2' },
  },
  'too few connections of a user': {
    check: 'connections',
    level: 'problem',
    found: /^max_user_connections is 23/,
    plant: ['SET GLOBAL max_user_connections = 23'],
  },
  'small packets': {
    check: 'packets',
    level: 'warning',
    found: /^max_allowed_packet is 1048576: writes of many/,
    plant: ['SET GLOBAL max_allowed_packet = 1048576'],
  },
  'connections that are closed soon': {
    check: 'idle connections',
    level: 'warning',
    found: /^wait_timeout is 60/,
    plant: ['SET GLOBAL wait_timeout = 60'],
  },
  'a server that is read-only': {
    check: 'availability',
    level: 'problem',
    found: /^the database server is read-only \(read_only\)$/,
    plant: ['SET GLOBAL read_only = ON'],
  },
  'transactions that may only read': {
    check: 'transactions',
    level: 'problem',
    found: /^(tx|transaction)_read_only is ON: nothing can be written$/,
    plant: ['SET GLOBAL TRANSACTION READ ONLY'],
  },
  'OpenStack Placement with REPEATABLE READ': {
    check: 'isolation',
    level: 'warning',
    found: /it can exceed a capacity/,
    plant: ['CREATE TABLE alembic_version (version_num varchar(32) NOT NULL PRIMARY KEY)'],
    undo: ['DROP TABLE alembic_version', 'SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ'],
  },
  'a binary log without rows, where it is to be read': {
    check: 'binary log',
    level: 'problem',
    found: /^binlog_format is STATEMENT, and foreignWrites.binaryLog is set/,
    plant: ["SET GLOBAL binlog_format = 'STATEMENT'"],
    change: /^set log_bin, binlog_format = ROW and binlog_row_image = FULL in the option file/,
    undo: ["SET GLOBAL binlog_format = 'ROW'"],
    environment: { PLACEMENT_FOREIGN_WRITES_BINARY_LOG: 'true' },
  },
  'a migration that is missing': {
    check: 'migrations',
    level: 'warning',
    found: /^missing: 20261123200001_own_tables$/,
    plant: [
      "DELETE FROM _prisma_migrations WHERE migration_name LIKE '%own_tables'",
      'DROP TABLE placement_feed_writers, placement_feed_changes, placement_aggregate_names',
    ],
    change: /^run `placement-graphql migrate`/,
  },
  'a migration that has failed': {
    check: 'migrations',
    level: 'problem',
    found: /^20261123200001_own_tables has stopped after 0 of 3 statements: the disk is full$/,
    plant: [
      'DROP TABLE placement_feed_writers, placement_feed_changes, placement_aggregate_names',
      "UPDATE _prisma_migrations SET finished_at = NULL, applied_steps_count = 0, logs = 'the disk is full' WHERE migration_name LIKE '%own_tables'",
    ],
    change: /^remove the cause and run `placement-graphql migrate`/,
  },
  'a migration of a later version': {
    check: 'migrations',
    level: 'problem',
    found: /the database is newer than this program: it has the migration 2099_contract_names/,
    plant: [
      "INSERT INTO _prisma_migrations (id, migration_name, checksum, finished_at) VALUES ('x', '2099_contract_names', '', NOW())",
    ],
    undo: ["DELETE FROM _prisma_migrations WHERE id = 'x'"],
  },
  'half a restore': {
    check: 'migrations',
    level: 'problem',
    found: /run `placement-graphql restore FILE` again/,
    plant: [
      `INSERT INTO _prisma_migrations (id, migration_name, checksum) VALUES ('x', '${UNFINISHED_RESTORE}', '')`,
    ],
    undo: ["DELETE FROM _prisma_migrations WHERE id = 'x'"],
  },
  'standard traits that are missing': {
    check: 'catalog',
    level: 'warning',
    found: /^standard traits or resource classes are missing$/,
    plant: ["DELETE FROM traits WHERE name = 'HW_NUMA_ROOT'"],
    change: /^run `placement-graphql migrate`/,
  },
  'an index that is missing': {
    check: 'tables',
    level: 'problem',
    found: new RegExp(`^the index ${index} .* of allocations is missing$`),
    plant: [`ALTER TABLE allocations DROP INDEX ${index}`],
  },
  'an index of the change feed that is missing': {
    check: 'tables',
    level: 'problem',
    found:
      /^the index placement_feed_changes_created_at_idx \(created_at\) of placement_feed_changes is missing$/,
    plant: ['ALTER TABLE placement_feed_changes DROP INDEX placement_feed_changes_created_at_idx'],
  },
  'a column that is missing': {
    check: 'tables',
    level: 'problem',
    found: /^the column placement_feed_changes.former_root_id is missing$/,
    plant: ['ALTER TABLE placement_feed_changes DROP COLUMN former_root_id'],
  },
  'a column that is too short': {
    check: 'tables',
    level: 'problem',
    found: /^the column consumers.uuid is varchar\(30\), not varchar\(36\)$/,
    plant: ['ALTER TABLE consumers MODIFY uuid varchar(30) COLLATE utf8mb4_bin NOT NULL'],
  },
  'a column that must have a value': {
    check: 'tables',
    level: 'problem',
    found: /^the column consumers.consumer_type_id is NOT NULL, not NULL$/,
    plant: ['ALTER TABLE consumers MODIFY consumer_type_id int NOT NULL'],
  },
  'a unique index that refuses rows': {
    check: 'tables',
    level: 'problem',
    found: /^the unique index one_each \(used\) of allocations refuses rows/,
    plant: ['ALTER TABLE allocations ADD UNIQUE INDEX one_each (used)'],
  },
  'a foreign key that is missing': {
    check: 'tables',
    level: 'problem',
    found: /^the foreign key of resource_providers \(root_provider_id\) .* is missing$/,
    plant: ['ALTER TABLE resource_providers DROP FOREIGN KEY resource_providers_ibfk_2'],
  },
  'tables without transactions': {
    check: 'tables',
    level: 'problem',
    found: /^the table allocations has the engine MyISAM, which must be InnoDB$/,
    plant: ['ALTER TABLE allocations ENGINE = MyISAM'],
  },
  'names that are compared without case': {
    check: 'collation',
    level: 'warning',
    found: /^projects.external_id is of utf8mb4_general_ci, not utf8mb4_bin/,
    plant: ['ALTER TABLE projects CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci'],
  },
  'a writer of the change feed that is not registered': {
    check: 'change feed',
    level: 'problem',
    found: /^the writer 4711 has changes and is not registered/,
    plant: [
      `INSERT INTO placement_feed_changes (writer_id, seq, kind, object_id, low_watermark, created_at) VALUES (4711, 1, 'HEARTBEAT', 0, 1, UTC_TIMESTAMP())`,
    ],
  },
  'a change feed that nobody prunes': {
    check: 'change feed',
    level: 'warning',
    found: /^its oldest change is 50 minutes old, though a server runs that should have removed it$/,
    plant: [
      `INSERT INTO placement_feed_writers (id, holder, started_at, expires_at) VALUES (800, '', ${old(60)}, ${old(60)})`,
      `INSERT INTO placement_feed_changes (writer_id, seq, kind, object_id, low_watermark, created_at)
         VALUES (800, 1, 'HEARTBEAT', 0, 1, ${old(50)}), (800, 2, 'HEARTBEAT', 0, 2, UTC_TIMESTAMP())`,
    ],
    change: /start them again$/,
    undo: ['DELETE FROM placement_feed_changes WHERE writer_id = 800'],
  },
  'changes of tomorrow': {
    check: 'change feed',
    level: 'warning',
    found: /^its newest change is dated \d+ s ahead/,
    plant: [
      `INSERT INTO placement_feed_writers (id, holder, started_at, expires_at) VALUES (801, '', UTC_TIMESTAMP(), UTC_TIMESTAMP())`,
      `INSERT INTO placement_feed_changes (writer_id, seq, kind, object_id, low_watermark, created_at) VALUES (801, 1, 'HEARTBEAT', 0, 1, ${old(-60)})`,
    ],
    change: /NTP/,
    undo: ['DELETE FROM placement_feed_changes WHERE writer_id = 801'],
  },
  'rows that point at nothing': {
    check: 'audit',
    level: 'warning',
    found: /^1 findings, such as: /,
    plant: ['INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id) VALUES (99, 99)'],
    change: /^`placement-graphql audit-database` tells/,
    undo: ['DELETE FROM resource_provider_aggregates WHERE aggregate_id = 99'],
  },
};
