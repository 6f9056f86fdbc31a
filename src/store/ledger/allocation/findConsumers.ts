import { Spellings } from '../../sql/catalog.js';
import { columns, select, unionAll } from '../../sql/statements.js';
import type { Former } from '../../../model/recordedChanges.js';
import type { Versioned } from '../provider/providerRows.js';
import type { Transaction } from '../transaction.js';
import { consumersByUuid } from './consumerRows.js';

const f = columns('consumers', 'c');
const FOUND = { id: f.id, uuid: f.uuid, generation: f.generation, projectId: f.project_id };
const CONSUMERS = unionAll([
  select(FOUND, `FROM consumers c WHERE ${f.uuid} IN (?)`),
  select(FOUND, `FROM consumers c WHERE ${Spellings.isNew('c')} AND ${f.uuid} NOT IN (?)`),
]);

/** Returns the consumers with these uuids, by uuid. Omits unknown consumers. */
export async function findConsumers(
  tx: Transaction,
  uuids: readonly string[],
): Promise<Map<string, Versioned & Former<'projectId'>>> {
  return consumersByUuid(await tx.spellings.consumers.find(tx, CONSUMERS, uuids));
}
