import { HISTORY_TABLE } from '../adoption/adoption.js';
import type { ExpectedColumn, ExpectedTable } from '../adoption/placementTables.js';

const column = (type: string, more: Partial<ExpectedColumn> = {}): ExpectedColumn => ({
  type,
  isNullable: false,
  isCounted: false,
  default: null,
  ...more,
});
const optional = (type: string): ExpectedColumn => column(type, { isNullable: true });

const table = (
  columns: ExpectedTable['columns'],
  primaryKey: readonly string[],
  indexes: ExpectedTable['indexes'] = {},
): ExpectedTable => ({ columns, primaryKey, unique: {}, indexes, foreignKeys: {} });

/** The tables that are this program's alone, as its migrations make them. */
export const OWN_TABLES: Readonly<Record<string, ExpectedTable>> = {
  placement_feed_writers: table(
    {
      id: column('int'),
      holder: column('varchar(255)'),
      started_at: column('datetime'),
      expires_at: column('datetime'),
    },
    ['id'],
  ),
  placement_feed_changes: table(
    {
      writer_id: column('int'),
      seq: column('bigint'),
      kind: column('varchar(10)'),
      object_id: column('int'),
      low_watermark: column('bigint'),
      created_at: column('datetime'),
      uuid: optional('varchar(36)'),
      generation: optional('int'),
      root_id: optional('int'),
      former_root_id: optional('int'),
      changes: optional('int'),
      usage_change: optional('varchar(255)'),
      project_id: optional('int'),
      former_project_id: optional('int'),
    },
    ['writer_id', 'seq', 'kind', 'object_id'],
    { placement_feed_changes_created_at_idx: ['created_at'] },
  ),
  placement_aggregate_names: {
    ...table(
      { aggregate_uuid: column('varchar(36)'), name: column('varchar(200)'), created_at: column('datetime') },
      ['aggregate_uuid'],
    ),
    unique: { uniq_placement_aggregate_names0name: ['name'] },
  },
  [HISTORY_TABLE]: table(
    {
      id: column('varchar(36)'),
      checksum: column('varchar(64)'),
      finished_at: optional('datetime(3)'),
      migration_name: column('varchar(255)'),
      logs: optional('text'),
      rolled_back_at: optional('datetime(3)'),
      started_at: column('datetime(3)', { default: 'current_timestamp(3)' }),
      applied_steps_count: column('int unsigned', { default: '0' }),
    },
    ['id'],
  ),
};
