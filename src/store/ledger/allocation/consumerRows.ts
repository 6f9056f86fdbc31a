import { isSpelledOtherwise, type Spellings } from '../../sql/catalog.js';
import {
  caseOf,
  columns,
  deletionFrom,
  insertion,
  updateOf,
  joinedColumns,
  read,
  selectKinds,
  type Column,
  type Statement,
} from '../../sql/statements.js';
import { groupBy } from '../../../model/collections.js';
import { ensure, checkNewUuid, ANY_GENERATION, type ConsumerAllocationsInput } from '../../../model/input.js';
import type { Former } from '../../../model/recordedChanges.js';
import { batches, COMPARED_AT_ONCE, WriteConflict, type Transaction } from '../transaction.js';
import { ConsumerGenerationConflict } from '../../../model/rejections.js';
import { asRead, type Versioned } from '../provider/providerRows.js';
import { addHolds, changeHolds, type Expiries, type Holder, removeHolds } from './holds.js';
import {
  ensureNames,
  nameOf,
  type NamesUsed,
  findUnstorable,
  namesOf,
  namesWanted,
  type NameRow,
  type Unstorable,
} from './ownerNames.js';
import type { StoredAllocation } from './allocationRows.js';

/** A row of consumers as a transaction has read it. */
export interface ConsumerRow extends Holder {
  readonly uuid: string;
  /** The uuid as it is stored. Allocations have the same text. */
  readonly text: string;
  readonly projectId: number;
  readonly userId: number;
  /** Null: untyped (rule 87). */
  readonly consumerTypeId: number | null;
  /** The name of the type. */
  readonly consumerType: string | null;
  readonly hold: Holder['hold'];
  /** Younger rows of other programs that spell the same uuid otherwise (decision D24). */
  readonly duplicates: readonly ConsumerRow[];
}

/** Returns rows of consumers by uuid: the oldest row of each, with its duplicates. */
export function consumersByUuid<Row extends Versioned & { readonly uuid: string }>(
  rows: readonly Row[],
): Map<string, Row & { readonly duplicates: readonly (Row & { readonly duplicates: readonly never[] })[] }> {
  const inOrder = [...rows].sort((one, other) => one.id - other.id);
  return new Map(
    Array.from(
      groupBy(inOrder, ({ uuid }) => uuid),
      ([uuid, [oldest, ...others]]) => [
        uuid,
        { ...oldest, duplicates: others.map((row) => ({ ...row, duplicates: [] })) },
      ],
    ),
  );
}

/**
 * Rejects a new consumer whose key is no UUID, and a change of a consumer with several rows (INVALID_INPUT). Removing
 * all its allocations is allowed: it deletes all rows.
 */
export function checkSpellings(
  inputs: readonly Pick<ConsumerAllocationsInput, 'consumer' | 'allocations'>[],
  path: readonly string[],
  stored: ReadonlyMap<string, ConsumerRow>,
): void {
  inputs.forEach(({ consumer, allocations }, index) => {
    const here = [...path, String(index), 'consumer'];
    const row = stored.get(consumer);
    if (allocations.length > 0 && row === undefined) checkNewUuid(consumer, here);
    if (allocations.length > 0 && row !== undefined) checkSingleRow(row, here);
  });
}

/** Rejects a consumer that another program has stored in several rows (INVALID_INPUT). */
export function checkSingleRow({ uuid, text, duplicates }: ConsumerRow, path: readonly string[]): void {
  const texts = [text, ...duplicates.map((row) => row.text)];
  const message = `consumer ${uuid} has several rows, ${texts.join(' and ')}: it can only be deleted`;
  ensure(duplicates.length === 0, path, message);
}

/** Rejects the first consumer without the expected generation; null expects none (rule 83). Skips ANY_GENERATION. */
export function checkConsumerGenerations(
  inputs: readonly Pick<ConsumerAllocationsInput, 'consumer' | 'generation'>[],
  stored: ReadonlyMap<string, Pick<Versioned, 'generation'>>,
): void {
  for (const { consumer, generation } of inputs) {
    if (generation === ANY_GENERATION) continue;
    const expected = generation ?? null;
    const current = stored.get(consumer)?.generation ?? null;
    if (expected !== current) throw new ConsumerGenerationConflict(consumer, expected, current);
  }
}

/** A consumer that changes. `stored` is undefined for a new consumer. */
export interface ConsumerWrite {
  readonly input: ConsumerAllocationsInput;
  readonly stored: ConsumerRow | undefined;
}

const OWNER = ['project_id', 'user_id', 'consumer_type_id'] as const;
type Owner = readonly [projectId: number, userId: number, consumerTypeId: number | null];

const INSERT = insertion('consumers', ['uuid', ...OWNER, 'generation', 'created_at']);

/**
 * Writes changed consumers. New consumers get generation 1 (rule 84). Stored consumers get the next
 * generation by compare-and-set, and their new owner (86). Consumers without allocations are
 * deleted (82). Only batches add statements.
 */
export async function writeConsumerRows(
  tx: Transaction,
  changes: readonly ConsumerWrite[],
  names: NamesUsed,
): Promise<void> {
  const staying = changes.map(({ input }) => input).filter(({ allocations }) => allocations.length > 0);
  await ensureNames(tx, names, staying);
  const created: Parameters<typeof INSERT>[0][number][] = [];
  const deleted: ConsumerRow[] = [];
  const kept: ConsumerRow[] = [];
  const owners = new Map<Versioned, Owner>();
  const expiries: Expiries = new Map();
  const newExpiries = new Map<string, Date>();
  for (const { input, stored } of changes) {
    if (input.allocations.length === 0) {
      if (stored !== undefined) deleted.push(stored, ...stored.duplicates);
      continue;
    }
    const owner = ownerOf(input, stored, names);
    if (stored === undefined) {
      created.push([input.consumer, ...owner, 1, tx.now]);
      if (input.expiresAt != null) newExpiries.set(input.consumer, input.expiresAt);
    } else {
      const { projectId, userId, consumerTypeId } = stored;
      if ([projectId, userId, consumerTypeId].join() !== owner.join()) owners.set(stored, owner);
      if (projectId !== owner[0]) tx.recorded.addLeavingConsumers([stored]);
      if (input.expiresAt !== undefined) expiries.set(stored, input.expiresAt);
      kept.push(stored);
    }
  }
  for (const [uuid] of created) tx.recorded.newConsumers.add(uuid);
  for (const batch of batches(created)) tx.send(...INSERT(batch));
  if (newExpiries.size > 0) addHolds(tx, newExpiries);
  bumpConsumers(tx, kept, { owners, expiries });
  deleteConsumers(tx, deleted);
}

const c = columns('consumers');

/** Deletes consumers without allocations (rule 82) if they have the generations that were read. */
export function deleteConsumers(tx: Transaction, rows: readonly (Holder & Former<'projectId'>)[]): void {
  tx.recorded.addLeavingConsumers(rows);
  sendForAll(tx, rows, () => ({ text: deletionFrom('consumers'), values: [] }));
  if (rows.some(({ hold }) => hold !== null)) removeHolds(tx, rows);
  forgetRequests(tx, rows);
}

/** Removes the remembered requests of consumers, which then leave their workloads. */
export function forgetRequests(tx: Transaction, rows: readonly Pick<Versioned, 'id'>[]): void {
  for (const batch of batches(rows)) tx.send(FORGET, [batch.map(({ id }) => id)]);
}

const m = columns('placement_consumer_requests');
const FORGET = `${deletionFrom('placement_consumer_requests')} WHERE ${m.consumer_id} IN (?) ORDER BY ${m.consumer_id}`;

/** Increments the generations of consumers. Sets their owners and expiries, if given. */
export function bumpConsumers(
  tx: Transaction,
  rows: readonly Holder[],
  {
    owners = new Map(),
    expiries = new Map(),
  }: { readonly owners?: ReadonlyMap<Versioned, Owner>; readonly expiries?: Readonly<Expiries> } = {},
): void {
  for (const { id } of rows) tx.recorded.consumers.add(id);
  sendForAll(tx, rows, (batch) => {
    const moved = batch.flatMap((row) => {
      const owner = owners.get(row);
      return owner === undefined ? [] : { id: row.id, owner };
    });
    const cases =
      moved.length === 0 ? [] : OWNER.map((name) => `${name} = ${caseOf(c.id, moved.length, name)}`);
    const values = OWNER.flatMap((_, at) => moved.flatMap(({ id, owner }) => [id, owner[at]]));
    const set = [`${c.generation} = ${c.generation} + 1`, `${c.updated_at} = ?`, ...cases];
    return { text: `${updateOf('consumers')} SET ${set.join(', ')}`, values: [tx.now, ...values] };
  });
  if (expiries.size > 0 || rows.some(({ hold }) => hold !== null)) changeHolds(tx, rows, expiries);
}

/** Throws WriteConflict after a concurrent change. The retry then reports the caller's conflict. */
function sendForAll(
  tx: Transaction,
  rows: readonly Versioned[],
  change: (batch: readonly Versioned[]) => { readonly text: string; readonly values: readonly unknown[] },
): void {
  for (const batch of batches(rows, COMPARED_AT_ONCE)) {
    const { text, values } = change(batch);
    const condition = asRead('consumers', batch);
    const sql = `${text} WHERE ${condition.text} ORDER BY ${c.id}`;
    tx.send(sql, [...values, ...condition.values], ({ affectedRows }) => {
      if (affectedRows !== batch.length) throw new WriteConflict('a consumer was changed concurrently');
    });
  }
}

function ownerOf(input: ConsumerAllocationsInput, stored: ConsumerRow | undefined, names: NamesUsed): Owner {
  return [
    nameOf(names, 'projects', input.projectId).id,
    nameOf(names, 'users', input.userId).id,
    input.type == null ? (stored?.consumerTypeId ?? null) : nameOf(names, 'consumer_types', input.type).id,
  ];
}

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
const asked = columns('consumers', 'asked');
const t = joinedColumns('consumer_types', 't');
const h = joinedColumns('placement_holds', 'h');
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
      id: asked.id,
      name: t.name,
      text: asked.uuid,
      generation: asked.generation,
      projectId: asked.project_id,
      userId: asked.user_id,
      consumerTypeId: asked.consumer_type_id,
      expiresAt: h.expires_at,
      holdGeneration: h.generation,
    },
    allocations: {
      id: a.id,
      text: a.consumer_id,
      providerId: a.resource_provider_id,
      classId: a.resource_class_id,
      used: a.used,
    },
    newest: {
      id: `MAX(${asked.id})` as Column<number | null>,
      /** A uuid in another spelling than ours, if there is one. */
      text: `MAX(CASE WHEN ${isSpelledOtherwise(asked.uuid)} THEN ${asked.uuid} END)` as Column<
        string | null
      >,
    },
  },
  {
    classes: `FROM resource_classes WHERE ${k.name} IN (?)`,
    projects: `FROM projects WHERE ${p.external_id} IN (?)`,
    users: `FROM users WHERE ${u.external_id} IN (?)`,
    consumer_types: `FROM consumer_types WHERE ${n.name} IN (?)`,
    consumers: `FROM consumers asked LEFT JOIN consumer_types t ON ${t.id} = ${asked.consumer_type_id}
      LEFT JOIN placement_holds h ON ${h.consumer_id} = ${asked.id} WHERE ${asked.uuid} IN (?)`,
    allocations: `FROM allocations WHERE ${a.consumer_id} IN (?)`,
    newest: `FROM consumers asked WHERE ${asked.id} > ?`,
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
    if (row.kind === 'newest') {
      if (row.text === null) spellings.examineUpTo(row.id ?? 0);
      else await spellings.refresh();
    } else if (row.kind === 'consumers') consumers.push(consumerOf(row, spellings));
    else if (row.kind === 'allocations') named.push({ ...row, consumer: spellings.uuidOf(row.text) });
    else found.push(row);
  }
  named.sort((one, other) => one.id - other.id);
  const wanted = namesWanted(inputs, moreClasses, unstorable);
  const stored = consumersByUuid(consumers);
  return { names: await namesOf(tx, wanted, found, unstorable), stored, named };
}

function consumerOf(
  { expiresAt, holdGeneration, ...row }: Extract<RecordRow, { kind: 'consumers' }>,
  spellings: Spellings,
): Omit<ConsumerRow, 'duplicates'> {
  const hold =
    expiresAt === null || holdGeneration === null ? null : { expiresAt, generation: holdGeneration };
  return { ...row, uuid: spellings.uuidOf(row.text), consumerType: row.name, hold };
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
