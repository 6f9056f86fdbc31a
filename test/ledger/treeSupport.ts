import { randomUUID } from 'node:crypto';
import type { ConsumerAllocationsInput } from '../../src/model/input.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { applyProviderTree, type AppliedProviderTree } from '../../src/store/ledger/tree/providerTree.js';
import type { DesiredProvider } from '../../src/store/ledger/tree/treeInput.js';
import { amounts } from '../support/claims.js';
import type { ProcessDatabase } from '../support/database.js';
import { expectRefused, inventory, type Refusal } from './support.js';

/** A provider with what it has, as a test states it. */
export interface Grown {
  readonly uuid?: string;
  readonly name: string;
  readonly inventories?: Record<string, number>;
  readonly traits?: string[];
  readonly aggregates?: string[];
  readonly children?: Grown[];
}

/** A stored provider with everything below it, children by name. */
interface StoredTree {
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly inventories: Record<string, number>;
  readonly traits: string[];
  readonly aggregates: string[];
  readonly children: StoredTree[];
}

/** Applies a tree and gives what it did as short texts: "CREATE name". */
export async function apply(
  database: ProcessDatabase,
  root: DesiredProvider,
  allocations: readonly ConsumerAllocationsInput[] | null = null,
  dryRun = false,
): Promise<AppliedProviderTree & { readonly done: string[] }> {
  const applied = await applyProviderTree(database.ledger, { root, allocations, dryRun });
  return { ...applied, done: applied.changes.map(({ kind, name }) => `${kind} ${name}`) };
}

/** Expects that the tree is refused, also in a dry run, and that nothing changes. */
export async function expectTreeRefused(
  database: ProcessDatabase,
  root: DesiredProvider,
  refusal: Refusal,
  allocations?: readonly ConsumerAllocationsInput[] | null,
): Promise<void> {
  for (const dryRun of [true, false])
    await expectRefused(database, () => apply(database, root, allocations, dryRun), refusal);
}

/** Creates a tree; the uuids of its providers by name. */
export async function grow(database: ProcessDatabase, tree: Grown): Promise<Record<string, string>> {
  const { changes } = await apply(database, desired(tree));
  return Object.fromEntries(changes.map(({ name, uuid }) => [name, uuid ?? '']));
}

/** States everything that a test says of a tree, and nothing else. */
export function desired({ name, inventories, children, ...links }: Grown): DesiredProvider {
  return {
    name,
    ...links,
    inventories: inventories && Object.entries(inventories).map(([name, total]) => inventory(name, total)),
    children: children?.map(desired),
  };
}

/** What is stored of a tree, found by any of its providers; fails where parents and roots do not agree. */
export async function treeOf(database: ProcessDatabase, uuid: string): Promise<StoredTree> {
  type Row = { id: number; uuid: string; name: string; generation: number; parent: number | null };
  const query = <T>(sql: string, values: unknown[]): Promise<T[]> => database.pool.query<T[]>(sql, values);
  const members = await query<Row>(
    `SELECT m.id, m.uuid, m.name, m.generation, m.parent_provider_id AS parent FROM resource_providers m
     JOIN resource_providers p ON p.root_provider_id = m.root_provider_id WHERE p.uuid = ? ORDER BY m.name`,
    [uuid],
  );
  const ids = members.map(({ id }) => id);
  const inventories = await query<{ provider: number; name: string; total: number }>(
    `SELECT i.resource_provider_id AS provider, c.name, i.total FROM inventories i
     JOIN resource_classes c ON c.id = i.resource_class_id WHERE i.resource_provider_id IN (?) ORDER BY c.name`,
    [ids],
  );
  const links = await query<{ provider: number; kind: 'trait' | 'aggregate'; name: string }>(
    `SELECT l.resource_provider_id AS provider, 'trait' AS kind, t.name FROM resource_provider_traits l
     JOIN traits t ON t.id = l.trait_id WHERE l.resource_provider_id IN (?)
     UNION ALL SELECT l.resource_provider_id, 'aggregate', a.uuid FROM resource_provider_aggregates l
     JOIN placement_aggregates a ON a.id = l.aggregate_id WHERE l.resource_provider_id IN (?) ORDER BY name`,
    [ids, ids],
  );
  let shown = 0;
  const show = ({ id, uuid, name, generation }: Row): StoredTree => {
    shown += 1;
    const mine = <T extends { provider: number }>(rows: T[]): T[] =>
      rows.filter((row) => row.provider === id);
    const linked = (kind: string): string[] =>
      mine(links).flatMap((link) => (link.kind === kind ? [link.name] : []));
    return {
      uuid,
      name,
      generation,
      inventories: Object.fromEntries(mine(inventories).map((row) => [row.name, row.total])),
      traits: linked('trait'),
      aggregates: linked('aggregate'),
      children: members.filter(({ parent }) => parent === id).map(show),
    };
  };
  const tree = show(members.find(({ parent }) => parent === null)!);
  if (shown !== members.length) throw new Error(`the tree of ${tree.name} does not hang together`);
  return tree;
}

/** The stored tree as names and generations: "root@1(a@0 b@2(c@0))". */
export async function shapeOf(database: ProcessDatabase, uuid: string): Promise<string> {
  const shape = ({ name, generation, children }: StoredTree): string =>
    `${name}@${generation}${children.length > 0 ? `(${children.map(shape).join(' ')})` : ''}`;
  return shape(await treeOf(database, uuid));
}

/** Amounts by provider and class: { [uuid]: { VCPU: 2 } }. */
export type Takes = Record<string, Record<string, number>>;

export function consumerOf(
  consumer: string,
  takes: Takes,
  generation: number | null = null,
): ConsumerAllocationsInput {
  const allocations = Object.entries(takes).map(([resourceProvider, classes]) => ({
    resourceProvider,
    resources: amounts(classes),
  }));
  return { consumer, generation, type: 'INSTANCE', projectId: 'project', userId: 'user', allocations };
}

/** A new consumer that takes this; its uuid. */
export async function aConsumer(database: ProcessDatabase, takes: Takes): Promise<string> {
  const consumer = randomUUID();
  await setAllocations(database.claims, { consumers: [consumerOf(consumer, takes)] });
  return consumer;
}

/** What a consumer has, and its generation; null where there is no such consumer. */
export async function storedConsumer(
  database: ProcessDatabase,
  consumer: string,
): Promise<{ generation: number; takes: Takes } | null> {
  const [row] = await database.pool.query<{ generation: number }[]>(
    'SELECT generation FROM consumers WHERE uuid = ?',
    [consumer],
  );
  const rows = await database.pool.query<{ uuid: string; name: string; used: number }[]>(
    `SELECT p.uuid, c.name, a.used FROM allocations a JOIN resource_providers p ON p.id = a.resource_provider_id
     JOIN resource_classes c ON c.id = a.resource_class_id WHERE a.consumer_id = ? ORDER BY a.id`,
    [consumer],
  );
  if (row === undefined && rows.length === 0) return null;
  const takes: Takes = {};
  for (const { uuid, name, used } of rows) takes[uuid] = { ...takes[uuid], [name]: used };
  return { generation: row.generation, takes };
}
