import { randomUUID } from 'node:crypto';
import { recordChanges, providerIds } from './changeFeed.js';
import type { ProcessDatabase } from './database.js';
import type { Api } from './api.js';

/** A provider with its descendants, to be created through the API. */
export interface ProviderInput {
  readonly name: string;
  readonly uuid?: string;
  /** Maps a class name to a total, or to an InventoryInput without its class. */
  readonly inventories?: Readonly<
    Record<string, number | { readonly total: number; readonly [field: string]: number }>
  >;
  readonly traits?: readonly string[];
  readonly aggregates?: readonly string[];
  readonly children?: readonly ProviderInput[];
}

/** Creates the providers of a plan. Returns their uuids by name. */
export async function createProviders(
  api: Api,
  plan: ProviderInput,
  parent?: string,
): Promise<Record<string, string>> {
  const { name, uuid = randomUUID(), inventories, traits, aggregates, children = [] } = plan;
  const write = async (field: string, input: object) => {
    const answer = await api.mutate<{ __typename: string; resourceProvider?: object }>(
      field,
      input,
      'resourceProvider { uuid }',
    );
    if (!answer.resourceProvider) throw new Error(`${field} of ${name}: ${JSON.stringify(answer)}`);
  };
  const edit = (edits: object) => write('updateResourceProvider', { resourceProvider: { uuid }, ...edits });
  await write('createResourceProvider', { name, uuid, parent: parent && { uuid: parent } });
  if (inventories) {
    const list = Object.entries(inventories).map(([resourceClass, offer]) =>
      typeof offer === 'number' ? { resourceClass, total: offer } : { resourceClass, ...offer },
    );
    await edit({ inventories: { set: list } });
  }
  if (traits) await edit({ traits: { set: traits } });
  if (aggregates) await edit({ aggregates: { set: aggregates.map((each) => ({ uuid: each })) } });
  const below = [];
  for (const child of children) below.push(await createProviders(api, child, uuid));
  return Object.assign({ [name]: uuid }, ...below) as Record<string, string>;
}

/** Inserts an allocation of a new consumer into the database and records the change. */
export async function insertAllocation(
  database: ProcessDatabase,
  provider: string,
  resourceClass: string,
  used: number,
): Promise<void> {
  await database.pool.query(
    `INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used)
     SELECT p.id, c.id, ?, ? FROM resource_providers p, resource_classes c WHERE p.uuid = ? AND c.name = ?`,
    [randomUUID(), used, provider, resourceClass],
  );
  await recordChanges(database, await providerIds(database));
}
