import { columns, joinedColumns, read, selectKinds, type Statement } from '../../database/statements.js';
import type { ConsumerAllocationsInput } from './allocationInput.js';
import type { StoredAllocation } from './allocationRows.js';
import type { ConsumerRow } from './consumerRows.js';
import {
  findUnstorable,
  namesOf,
  namesWanted,
  type NameRow,
  type NamesUsed,
  type Unstorable,
} from './ownerNames.js';
import { batches } from '../rows.js';
import type { Transaction } from '../transaction.js';

/** The stored state of the consumers that writes name. */
export interface ConsumerRecords {
  readonly names: NamesUsed;
  /** By uuid. Omits consumers that do not exist. */
  readonly stored: ReadonlyMap<string, ConsumerRow>;
  /** All allocations of the consumers, oldest first, even if the row of a consumer is missing. */
  readonly named: readonly StoredAllocation[];
}

const k = columns('resource_classes');
const p = columns('projects');
const u = columns('users');
const n = columns('consumer_types');
const c = columns('consumers', 'c');
const t = joinedColumns('consumer_types', 't');
const a = columns('allocations');

type RecordRow = typeof READ extends Statement<infer Row> ? Row : never;

/** Selects consumer uuids in one column per table, because the collations of tables may differ. */
const READ = selectKinds(
  {
    classes: { id: k.id, name: k.name },
    projects: { id: p.id, name: p.external_id },
    users: { id: u.id, name: u.external_id },
    consumer_types: { id: n.id, name: n.name },
    consumers: {
      id: c.id,
      name: t.name,
      uuid: c.uuid,
      generation: c.generation,
      projectId: c.project_id,
      userId: c.user_id,
      consumerTypeId: c.consumer_type_id,
    },
    allocations: {
      id: a.id,
      consumer: a.consumer_id,
      providerId: a.resource_provider_id,
      classId: a.resource_class_id,
      used: a.used,
    },
  },
  {
    classes: `FROM resource_classes WHERE ${k.name} IN (?)`,
    projects: `FROM projects WHERE ${p.external_id} IN (?)`,
    users: `FROM users WHERE ${u.external_id} IN (?)`,
    consumer_types: `FROM consumer_types WHERE ${n.name} IN (?)`,
    consumers: `FROM consumers c LEFT JOIN consumer_types t ON ${t.id} = ${c.consumer_type_id} WHERE ${c.uuid} IN (?)`,
    allocations: `FROM allocations WHERE ${a.consumer_id} IN (?)`,
  },
);

/**
 * Reads the consumers, their allocations, the names that they use, and more classes. Uses one
 * statement for each batch, so that a consumer's generation is as old as its allocations.
 */
export async function readConsumerRecords(
  tx: Transaction,
  inputs: readonly ConsumerAllocationsInput[],
  moreClasses: readonly string[] = [],
): Promise<ConsumerRecords> {
  const unstorable = await findUnstorable(tx, inputs);
  await tx.pause(inputs);
  const rows = await readBatches(tx, inputs, moreClasses, unstorable);
  await tx.pause(rows);
  const found: NameRow[] = [];
  const stored = new Map<string, ConsumerRow>();
  const named: StoredAllocation[] = [];
  for (const row of rows) {
    if (row.kind === 'consumers') stored.set(row.uuid, { ...row, consumerType: row.name });
    else if (row.kind === 'allocations') named.push(row);
    else found.push(row);
  }
  named.sort((one, other) => one.id - other.id);
  const wanted = namesWanted(inputs, moreClasses, unstorable);
  return { names: await namesOf(tx, wanted, found, unstorable), stored, named };
}

async function readBatches(
  tx: Transaction,
  inputs: readonly ConsumerAllocationsInput[],
  moreClasses: readonly string[],
  unstorable: Unstorable,
): Promise<RecordRow[]> {
  // without consumers there may still be classes to read
  const parts = inputs.length === 0 ? [inputs] : [...batches(inputs)];
  const answers = parts.map((part, at) => {
    const wanted = namesWanted(part, at === 0 ? moreClasses : [], unstorable);
    const consumers = listed(new Set(part.map(({ consumer }) => consumer)));
    return read(tx, READ, [
      listed(wanted.classes),
      listed(wanted.projects),
      listed(wanted.users),
      listed(wanted.consumer_types),
      consumers,
      consumers,
    ]);
  });
  return (await Promise.all(answers)).flat();
}

/** Returns the values for an IN (?), which cannot be empty. */
function listed(values: ReadonlySet<string>): (string | null)[] {
  return values.size > 0 ? [...values] : [null];
}
