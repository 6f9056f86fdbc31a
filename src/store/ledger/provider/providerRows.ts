import { sql, type NotNull } from 'kysely';
import type { UpsertResult } from 'mariadb';
import {
  caseOf,
  columns,
  deletionFrom,
  insertion,
  list,
  read,
  statement,
  tables,
  updateOf,
  isStorable,
  matching,
  type Column,
} from '../../sql/statements.js';
import type { ProviderFields } from '../../../model/provider.js';
import { kindSet, type KindSet } from '../../../model/recordedChanges.js';
import { COMPARED_AT_ONCE, batches, type Transaction, WriteConflict } from '../transaction.js';
import { DuplicateName, NotFound, ProviderGenerationConflict } from '../../../model/rejections.js';
import { checkProviderName, unstorableName } from '../../../model/input.js';

/** A row of resource_providers as a transaction has read it. */
export interface StoredProvider extends ProviderFields {
  /** 1 if the row has no root, as another program may leave it. `rootId` is then its own id. */
  readonly lacksRoot: number;
}

// another program may have written no generation: it is 0 for readers, too
const PROVIDERS = tables
  .selectFrom('resource_providers')
  .select(({ fn }) => [
    'id',
    'uuid',
    'name',
    fn.coalesce('generation', sql.lit(0)).as('generation'),
    fn.coalesce('root_provider_id', 'id').as('rootId'),
    'parent_provider_id as parentId',
    sql<number>`root_provider_id IS NULL`.as('lacksRoot'),
  ])
  .$narrowType<{ name: NotNull }>();
const WITH_UUIDS = statement(PROVIDERS.where('uuid', 'in', list<string>()));
const WITH_UUIDS_OR_IDS = statement(
  PROVIDERS.where((where) =>
    where.or([where('uuid', 'in', list<string>()), where('id', 'in', list<number>())]),
  ),
);
const WITH_ROOTS = statement(
  PROVIDERS.where('root_provider_id', 'in', list<number>()).unionAll(
    PROVIDERS.where('root_provider_id', 'is', null).where('id', 'in', list<number>()),
  ),
);
const WITH_NAMES = statement(PROVIDERS.where('name', 'in', list<string>()));

/** Returns the providers with these uuids or ids, by uuid. Omits unknown providers. */
export async function findProviders(
  tx: Transaction,
  uuids: readonly string[],
  ids: readonly number[] = [],
): Promise<Map<string, StoredProvider>> {
  if (uuids.length + ids.length === 0) return new Map();
  const rows =
    ids.length === 0
      ? await read(tx, WITH_UUIDS, [uuids])
      : await read(tx, WITH_UUIDS_OR_IDS, [uuids.length > 0 ? uuids : [''], ids]);
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** Returns the provider from `found`. NOT_FOUND if it is missing. */
export function required<Provider extends ProviderFields>(
  found: ReadonlyMap<string, Provider>,
  uuid: string,
): Provider {
  const provider = found.get(uuid);
  if (provider === undefined) throw new NotFound('RESOURCE_PROVIDER', uuid);
  return provider;
}

/** Returns all providers of the trees with these roots. */
export async function treeMembers(tx: Transaction, rootIds: readonly number[]): Promise<ProviderFields[]> {
  return rootIds.length === 0 ? [] : read(tx, WITH_ROOTS, [rootIds, rootIds]);
}

/** Finds the providers that have one of these names by the collation of the database, which may ignore case. */
export async function findNameHolders(tx: Transaction, names: readonly string[]): Promise<ProviderFields[]> {
  const holders: ProviderFields[] = [];
  for (const batch of batches(names)) holders.push(...(await read(tx, WITH_NAMES, [batch])));
  return holders;
}

/** Rejects a name that is malformed or that the table cannot store (INVALID_INPUT). */
export async function checkNewName(tx: Transaction, name: string): Promise<void> {
  checkProviderName(name);
  if (!(await isStorable(tx, 'resource_providers', name))) throw unstorableName(['name'], name);
}

/** Rejects a name that another provider has. */
export async function checkNameFree(tx: Transaction, name: string, provider?: ProviderFields): Promise<void> {
  const holder = (await findNameHolders(tx, [name])).at(0);
  if (holder && holder.id !== provider?.id) throw new DuplicateName(name, holder);
}

/** A provider to insert. If its root and parent are null, `setParents` sets them later. */
interface NewProvider extends Pick<ProviderFields, 'uuid' | 'name' | 'parentId'> {
  readonly rootId: number | null;
}

const ROW = ['uuid', 'name', 'generation', 'root_provider_id', 'parent_provider_id', 'created_at'] as const;
const INSERT = insertion('resource_providers', ROW);

/** Inserts providers at generation 0 (rule 38) and returns their ids by uuid. */
export async function insertProviders(
  tx: Transaction,
  providers: readonly NewProvider[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const batch of batches(providers)) {
    const rows = batch.map(
      ({ uuid, name, rootId, parentId }) => [uuid, name, 0, rootId, parentId, tx.now] as const,
    );
    const { insertId } = await tx.query<UpsertResult>(...INSERT(rows));
    if (batch.length === 1) {
      ids.set(batch[0].uuid, Number(insertId));
      continue;
    }
    // the ids of one statement need not be consecutive
    const uuids = batch.map(({ uuid }) => uuid);
    for (const { uuid, id } of (await findProviders(tx, uuids)).values()) ids.set(uuid, id);
  }
  tx.recorded.addProviders(ids.values(), kindSet('CREATED'));
  return ids;
}

const p = columns('resource_providers');
const UPDATE = updateOf('resource_providers');
const LISTED = `WHERE ${p.id} IN (?) ORDER BY ${p.id}`;

/** Moves providers under their parents in the trees of their roots. */
export async function setParents(
  tx: Transaction,
  links: readonly Pick<ProviderFields, 'id' | 'parentId' | 'rootId'>[],
): Promise<void> {
  for (const { id } of links) tx.recorded.addProviders([id], kindSet('MOVED'));
  for (const batch of batches(links, COMPARED_AT_ONCE)) {
    await tx.query(
      `${UPDATE} SET ${p.root_provider_id} = ${caseOf(p.id, batch.length)},
                     ${p.parent_provider_id} = ${caseOf(p.id, batch.length)} ${LISTED}`,
      [
        ...batch.flatMap(({ id, rootId }) => [id, rootId]),
        ...batch.flatMap(({ id, parentId }) => [id, parentId]),
        batch.map(({ id }) => id),
      ],
    );
  }
}

/**
 * Sets the root of the descendants of a moved provider (rule 43). Their generation does not change,
 * because the root is derived data. The caller records them as leaving.
 */
export async function setRoot(tx: Transaction, ids: readonly number[], rootId: number): Promise<void> {
  const sql = `${UPDATE} SET ${p.root_provider_id} = ?, ${p.updated_at} = ? ${LISTED}`;
  for (const batch of batches(ids)) await tx.query(sql, [rootId, tx.now, batch]);
}

export async function renameProviders(
  tx: Transaction,
  renamed: readonly Pick<ProviderFields, 'id' | 'name'>[],
): Promise<void> {
  for (const batch of batches(renamed, COMPARED_AT_ONCE)) {
    await tx.query(`${UPDATE} SET ${p.name} = ${caseOf(p.id, batch.length)} ${LISTED}`, [
      ...batch.flatMap(({ id, name }) => [id, name]),
      batch.map(({ id }) => id),
    ]);
  }
}

/**
 * Clears the names of providers before they are renamed or deleted, so that other providers can
 * take these names, even in a cycle.
 */
export async function clearNames(tx: Transaction, ids: readonly number[]): Promise<void> {
  for (const batch of batches(ids)) await tx.query(`${UPDATE} SET ${p.name} = NULL ${LISTED}`, [batch]);
}

const WITH_UPDATED = ['inventories', 'resource_provider_traits', 'resource_provider_aggregates'] as const;
const DISOWN = `${deletionFrom('placement_ownerships')} WHERE ${columns('placement_ownerships').provider_id} IN (?)`;
const CONSUME_NOTHING = `${deletionFrom('placement_consumptions')} WHERE ${columns('placement_consumptions').provider_id} IN (?)`;
// a root refers to itself and a child to its parent: the foreign keys would prevent the deletion
const UNLINK = `${UPDATE} SET ${p.root_provider_id} = NULL, ${p.parent_provider_id} = NULL ${LISTED}`;

/** Removes providers with their inventories, what these consume, their owners and their links; traits and aggregates stay (rule 47). */
export async function removeProviders(tx: Transaction, providers: readonly ProviderFields[]): Promise<void> {
  if (providers.length === 0) return;
  tx.recorded.addLeaving(providers, kindSet('DELETED'));
  const ids = [...batches(providers.map(({ id }) => id).sort((a, b) => a - b))];
  const run = async (sql: string): Promise<void> => {
    for (const batch of ids) await tx.query(sql, [batch]);
  };
  for (const table of WITH_UPDATED)
    await run(`${deletionFrom(table)} WHERE ${columns(table).resource_provider_id} IN (?)`);
  await run(DISOWN);
  await run(CONSUME_NOTHING);
  await run(UNLINK);
  await run(`${deletionFrom('resource_providers')} ${LISTED}`);
}

/** A row of resource_providers or of consumers as a transaction has read it. */
export interface Versioned {
  readonly id: number;
  readonly generation: number;
}

const c = columns('consumers');
const GENERATION: Column<number> = `COALESCE(${p.generation}, 0)`;
const VERSION = { resource_providers: [p.id, GENERATION], consumers: [c.id, c.generation] };

/** Returns a condition that matches these rows while they have the generations that were read. */
export function asRead(table: keyof typeof VERSION, rows: readonly Versioned[]): ReturnType<typeof matching> {
  const versions = rows.map(({ id, generation }) => [id, generation]);
  return matching(VERSION[table], versions);
}

/** Rejects a caller's generation that differs from the provider's (rule 58, decision D6). */
export function checkGeneration(provider: ProviderFields, expected: number | null | undefined): void {
  if (expected != null && provider.generation !== expected) {
    throw new ProviderGenerationConflict(provider.uuid, expected, provider.generation);
  }
}

/**
 * Confirms that rows still have the generations that were read; otherwise throws WriteConflict. For
 * rows that a write does not change or bump: this detects a concurrent equal write.
 */
export async function confirmUnchanged(
  tx: Transaction,
  rows: readonly Versioned[],
  table: keyof typeof VERSION = 'resource_providers',
): Promise<void> {
  for (const batch of batches(rows, COMPARED_AT_ONCE)) {
    const { text, values } = asRead(table, batch);
    const found = await tx.query<unknown[]>(`SELECT 1 FROM ${table} WHERE ${text}`, values);
    if (found.length !== batch.length) throw new WriteConflict(`${table}: a row was changed concurrently`);
  }
}

/**
 * How a write counts the generations of the providers whose usage it changes. CHANGED: one step for each of them
 * (decision D5). NAMED: one step for each provider that the input names or that an emptied consumer leaves, none for
 * other providers (decision D26). RELEASED: no step, for a write that only releases.
 */
export type Counting = 'CHANGED' | 'NAMED' | 'RELEASED';

/**
 * Marks providers as changed. Every write that changes a provider or its usage calls it (decision
 * D5). Compares each generation with the one read, and increases it by one or by its number of
 * `steps`. Throws WriteConflict after a concurrent change.
 *
 * Call it once per transaction, after validation and before writes to other rows of the provider.
 * All concurrent writers of a provider make this update, on one server and across a cluster.
 * Because it comes first, the losers wait and fail here and not in a deadlock. Validated rows must
 * have been read after, or together with, the generations given here.
 *
 * A step of 0 writes the row and records the change, but other writers do not notice it. Use it only for changes that
 * invalidate no check of theirs: a release, a new name, or a move, which locks its trees.
 */
export function markChanged<Provider extends Versioned>(
  tx: Transaction,
  providers: readonly Provider[],
  /** The changed parts of all providers, or a function that returns the changed parts of each. */
  kinds: KindSet | ((provider: Provider) => KindSet),
  /** The steps of the generation of a provider. Defaults to 1. */
  steps: ReadonlyMap<Provider, number> = new Map(),
): void {
  const inOrder = [...providers].sort((a, b) => a.id - b.id);
  for (const provider of inOrder)
    tx.recorded.addProviders([provider.id], typeof kinds === 'number' ? kinds : kinds(provider));
  for (const batch of batches(inOrder, COMPARED_AT_ONCE)) {
    const step = stepOf(batch.map((provider) => [provider.id, steps.get(provider) ?? 1]));
    const time = timeOf(
      tx,
      batch.filter((provider) => steps.get(provider) === 0).map(({ id }) => id),
    );
    const { text, values } = asRead('resource_providers', batch);
    tx.send(
      `${updateOf('resource_providers')} SET ${p.generation} = ${GENERATION} + ${step.text}, ${p.updated_at} = ${time.text}
        WHERE ${text} ORDER BY ${p.id}`,
      [...step.values, ...time.values, ...values],
      ({ affectedRows }) => {
        if (affectedRows !== batch.length) throw new WriteConflict('a provider was changed concurrently');
      },
    );
  }
}

interface Expression {
  readonly text: string;
  readonly values: readonly unknown[];
}

function stepOf(steps: readonly (readonly [id: number, step: number])[]): Expression {
  const other = steps.filter(([, step]) => step !== 1);
  return { text: other.length > 0 ? caseOf(p.id, other.length, '1') : '1', values: other.flat() };
}

/**
 * Returns the time of the change. Without a step nothing states the order of two changes, so the later time stays:
 * snapshots then agree with the table.
 */
function timeOf({ now }: Transaction, withoutStep: readonly number[]): Expression {
  if (withoutStep.length === 0) return { text: '?', values: [now] };
  const later = `GREATEST(COALESCE(${p.updated_at}, ?), ?)`;
  return { text: `IF(${p.id} IN (?), ${later}, ?)`, values: [withoutStep, now, now, now] };
}
