import { expect } from '@jest/globals';
import type { ProcessDatabase } from '../support/database.js';
import { entryOf } from '../../src/domain/errors.js';
import type { InventoryInput } from '../../src/ledger/inventory/inventoryRows.js';
import { createProvider } from '../../src/ledger/provider/providers.js';

const TABLES = [
  'resource_providers',
  'inventories',
  'traits',
  'resource_provider_traits',
  'resource_classes',
  'placement_aggregates',
  'resource_provider_aggregates',
  'allocations',
  'consumers',
  'consumer_types',
  'projects',
  'users',
];

/** Every row of every table that a write may touch. */
async function everything(database: ProcessDatabase): Promise<Record<string, unknown>> {
  const tables = await Promise.all(
    TABLES.map(async (table) => [
      table,
      await database.pool.query<unknown>(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4`),
    ]),
  );
  return Object.fromEntries(tables) as Record<string, unknown>;
}

/** The code and the own fields of the refusal that a write ends with; any other end fails the test. */
export async function refusalOf(write: Promise<unknown>): Promise<Record<string, unknown>> {
  const error: unknown = await write.then(
    (result) => {
      throw new Error(`not refused: ${JSON.stringify(result)}`);
    },
    (reason: unknown) => reason,
  );
  const entry = entryOf(error);
  if (entry === null) throw error;
  return { ...(error as object), code: entry.code };
}

/** Expects the write to be refused with this code and these fields, and to change nothing at all. */
export async function expectRefused(
  database: ProcessDatabase,
  write: () => Promise<unknown>,
  refusal: { code: string } & Record<string, unknown>,
): Promise<void> {
  const before = await everything(database);
  expect(await refusalOf(write())).toMatchObject(refusal);
  expect(await everything(database)).toEqual(before);
}

/** Expects the write to succeed and to change nothing at all. */
export async function expectUnchanged(
  database: ProcessDatabase,
  write: () => Promise<unknown>,
): Promise<void> {
  const before = await everything(database);
  await write();
  expect(await everything(database)).toEqual(before);
}

export interface StoredProvider {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly root: string;
  readonly parent: string | null;
}

export async function storedProviders(database: ProcessDatabase): Promise<StoredProvider[]> {
  return database.pool.query<StoredProvider[]>(
    `SELECT p.id, p.uuid, p.name, p.generation, root.uuid AS root, parent.uuid AS parent
     FROM resource_providers p
     LEFT JOIN resource_providers root ON root.id = p.root_provider_id
     LEFT JOIN resource_providers parent ON parent.id = p.parent_provider_id ORDER BY p.id`,
  );
}

export async function storedProvider(database: ProcessDatabase, uuid: string): Promise<StoredProvider> {
  const provider = (await storedProviders(database)).find((row) => row.uuid === uuid);
  if (provider === undefined) throw new Error(`no provider ${uuid}`);
  return provider;
}

export async function generationOf(database: ProcessDatabase, uuid: string): Promise<number> {
  return (await storedProvider(database, uuid)).generation;
}

let made = 0;

/** A new provider with a name of its own; its uuid. */
export async function aProvider(database: ProcessDatabase, parent: string | null = null): Promise<string> {
  made += 1;
  return (await createProvider(database.ledger, { name: `provider-${made}`, parent })).uuid;
}

/** The API's defaults (rule 17). */
export function inventory(
  resourceClass: string,
  total: number,
  rest: Partial<InventoryInput> = {},
): InventoryInput {
  const defaults = { reserved: 0, minUnit: 1, maxUnit: 2147483647, stepSize: 1, allocationRatio: 1 };
  return { resourceClass, total, ...defaults, ...rest };
}

/** Puts an allocation in place past the ledger, which does not write any yet. */
export async function allocate(
  database: ProcessDatabase,
  uuid: string,
  resourceClass: string,
  used: number,
): Promise<void> {
  await database.pool.query(
    `INSERT INTO allocations (resource_provider_id, consumer_id, resource_class_id, used)
     SELECT p.id, UUID(), c.id, ? FROM resource_providers p, resource_classes c WHERE p.uuid = ? AND c.name = ?`,
    [used, uuid, resourceClass],
  );
}
