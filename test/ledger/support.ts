import { expect } from '@jest/globals';
import type { ProcessDatabase } from '../support/database.js';
import { setInventories } from '../support/edits.js';
import { unchanged } from '../support/unchanged.js';
import { codeOf as codeOfRejection } from '../../src/model/errors.js';
import type { InventoryInput } from '../../src/store/ledger/inventory/inventoryRows.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';

/** The code and the own fields of the refusal that a write ends with; any other end fails the test. */
export async function refusalOf(write: Promise<unknown>): Promise<Record<string, unknown>> {
  const error: unknown = await write.then(
    (result) => {
      throw new Error(`not refused: ${JSON.stringify(result)}`);
    },
    (reason: unknown) => reason,
  );
  return { ...(error as object), code: codeOf(error) };
}

export type Refusal = { readonly code: string } & Record<string, unknown>;

/** Expects the write to be refused with this code and these fields, and to change nothing at all. */
export async function expectRefused(
  database: ProcessDatabase,
  write: () => Promise<unknown>,
  refusal: Refusal,
): Promise<void> {
  expect(await unchanged(database, () => refusalOf(write()))).toMatchObject(refusal);
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

/** A new provider with these inventories, at generation 1; its uuid. */
export async function stocked(
  database: ProcessDatabase,
  ...inventories: readonly InventoryInput[]
): Promise<string> {
  const uuid = await aProvider(database);
  await setInventories(database.ledger, { resourceProvider: uuid, generation: 0, inventories });
  return uuid;
}

/** Returns a function that makes names unique: `n('root')` is "root-7". */
export function uniqueNames(): (name: string) => string {
  const suffix = ++made;
  return (name) => `${name}-${suffix}`;
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

/** Every parent and root exists, every way up ends, and it ends at the root. */
export function checkTrees(providers: readonly StoredProvider[]): void {
  const byUuid = new Map(providers.map((provider) => [provider.uuid, provider]));
  for (const provider of providers) {
    let top = provider;
    for (let steps = 0; top.parent !== null; steps++) {
      const parent = byUuid.get(top.parent);
      if (parent === undefined) throw new Error(`${top.name} has a parent that does not exist`);
      if (steps > providers.length) throw new Error(`${provider.name} is in a loop`);
      top = parent;
    }
    if (provider.root !== top.uuid) throw new Error(`${provider.name} has a wrong root`);
  }
}

/** Returns the code of an error that rejects a write. Throws any other error. */
export function codeOf(error: unknown): string {
  const code = codeOfRejection(error);
  if (code === null) throw error;
  return code;
}

/** Runs a write. Returns 'done', or the code that rejects it. */
export const endOf = (write: Promise<unknown>): Promise<string> => write.then(() => 'done', codeOf);

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
