import { Spellings } from '../../sql/spellings.js';
import {
  columns,
  joinedColumns,
  read,
  selectKinds,
  type Column,
  type Statement,
} from '../../sql/statements.js';
import type { ConsumerAllocationsInput } from '../../../model/allocationInput.js';
import type { StoredAllocation } from './allocationRows.js';
import { consumersByUuid, type ConsumerRow } from './consumerRows.js';
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
      text: c.uuid,
      generation: c.generation,
      projectId: c.project_id,
      userId: c.user_id,
      consumerTypeId: c.consumer_type_id,
    },
    allocations: {
      id: a.id,
      text: a.consumer_id,
      providerId: a.resource_provider_id,
      classId: a.resource_class_id,
      used: a.used,
    },
    spellings: { id: c.id, text: c.uuid },
    newest: { id: `MAX(${c.id})` as Column<number | null> },
  },
  {
    classes: `FROM resource_classes WHERE ${k.name} IN (?)`,
    projects: `FROM projects WHERE ${p.external_id} IN (?)`,
    users: `FROM users WHERE ${u.external_id} IN (?)`,
    consumer_types: `FROM consumer_types WHERE ${n.name} IN (?)`,
    consumers: `FROM consumers c LEFT JOIN consumer_types t ON ${t.id} = ${c.consumer_type_id} WHERE ${c.uuid} IN (?)`,
    allocations: `FROM allocations WHERE ${a.consumer_id} IN (?)`,
    spellings: `FROM consumers c WHERE ${Spellings.isNew('c')}`,
    newest: 'FROM consumers c',
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
  const [records] = await readWithConsumers(tx, inputs, () => Promise.resolve(), moreClasses);
  return records;
}

/**
 * Reads the same records, and more at the same time. Reads both again if another program has just stored one of the
 * consumers in another spelling. If a consumer is missing that the write expects, it looks for such a row first.
 *
 * @param readMore receives the stored texts of the consumers
 */
export async function readWithConsumers<More>(
  tx: Transaction,
  inputs: readonly ConsumerAllocationsInput[],
  readMore: (texts: readonly string[]) => Promise<More>,
  moreClasses: readonly string[] = [],
): Promise<[ConsumerRecords, More]> {
  const { consumers: spellings } = tx.spellings;
  const uuids = inputs.map(({ consumer }) => consumer);
  await spellings.since();
  for (;;) {
    const texts = spellings.textsOf(uuids);
    const found = await Promise.all([readRecords(tx, inputs, moreClasses), readMore(texts)]);
    if (spellings.textsOf(uuids).length > texts.length) continue;
    const [{ stored }] = found;
    const isMissing = inputs.some((input) => !stored.has(input.consumer) && isExpected(input));
    if (!isMissing || !(await spellings.refresh())) return found;
  }
}

/** Returns whether a write expects a stored consumer. */
export function isExpected({ generation, allocations }: ConsumerAllocationsInput): boolean {
  return generation != null || allocations.length === 0;
}

async function readRecords(
  tx: Transaction,
  inputs: readonly ConsumerAllocationsInput[],
  moreClasses: readonly string[],
): Promise<ConsumerRecords> {
  const { consumers: spellings } = tx.spellings;
  const unstorable = await findUnstorable(tx, inputs);
  await tx.pause(inputs);
  const rows = await readBatches(tx, inputs, moreClasses, unstorable);
  await tx.pause(rows);
  const found: NameRow[] = [];
  const consumers: Omit<ConsumerRow, 'duplicates'>[] = [];
  const named: StoredAllocation[] = [];
  for (const row of rows) {
    if (row.kind === 'spellings') spellings.uuidOf(row.text);
    else if (row.kind === 'newest') spellings.examineUpTo(row.id ?? 0);
    else if (row.kind === 'consumers')
      consumers.push({ ...row, uuid: spellings.uuidOf(row.text), consumerType: row.name });
    else if (row.kind === 'allocations') named.push({ ...row, consumer: spellings.uuidOf(row.text) });
    else found.push(row);
  }
  named.sort((one, other) => one.id - other.id);
  const wanted = namesWanted(inputs, moreClasses, unstorable);
  const stored = consumersByUuid(consumers);
  return { names: await namesOf(tx, wanted, found, unstorable), stored, named };
}

async function readBatches(
  tx: Transaction,
  inputs: readonly ConsumerAllocationsInput[],
  moreClasses: readonly string[],
  unstorable: Unstorable,
): Promise<RecordRow[]> {
  const { consumers: spellings } = tx.spellings;
  const since = await spellings.since();
  // without consumers there may still be classes to read
  const parts = inputs.length === 0 ? [inputs] : [...batches(inputs)];
  const answers = parts.map((part, at) => {
    const wanted = namesWanted(part, at === 0 ? moreClasses : [], unstorable);
    const consumers = listed(new Set(spellings.textsOf(part.map(({ consumer }) => consumer))));
    return read(tx, READ, [
      listed(wanted.classes),
      listed(wanted.projects),
      listed(wanted.users),
      listed(wanted.consumer_types),
      consumers,
      consumers,
      since,
    ]);
  });
  return (await Promise.all(answers)).flat();
}

/** Returns the values for an IN (?), which cannot be empty. */
function listed(values: ReadonlySet<string>): (string | null)[] {
  return values.size > 0 ? [...values] : [null];
}
