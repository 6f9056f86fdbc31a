import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { createResourceClass } from '../../src/store/ledger/catalog.js';
import type { ConsumerAllocationsInput } from '../../src/model/input.js';
import type { ConsumptionInput } from '../../src/model/provider.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { applyProviderTree } from '../../src/store/ledger/tree/providerTree.js';
import type { DesiredProvider } from '../../src/store/ledger/tree/treeInput.js';
import { amounts, type Takes } from '../support/claims.js';
import type { ProcessDatabase } from '../support/database.js';
import { freeOf } from '../../src/fleet/snapshot.js';
import { loadSnapshot } from '../../src/store/live/liveSnapshot.js';
import { inventory, uniqueNames } from './support.js';

/** A card with four memory slices and four compute slices: the sizes of its profiles, and their positions. */
export const PROFILES = { CUSTOM_1G: [0, 1, 2, 3], CUSTOM_2G: [0, 2], CUSTOM_4G: [0] } as const;
export type Profile = keyof typeof PROFILES;
const SLICES = [0, 1, 2, 3];
const sizeOf = (profile: Profile): number => Number(profile[7]);
export const MEMORY = SLICES.map((slice) => `CUSTOM_MEM_${slice}`);
export const COMPUTE = 'CUSTOM_COMPUTE';

/** All classes of the card, which `createClasses` creates. */
const CLASSES = [...Object.keys(PROFILES), ...MEMORY, COMPUTE, 'CUSTOM_CARD'];

export async function createClasses({ ledger }: ProcessDatabase): Promise<void> {
  for (const name of CLASSES) await createResourceClass(ledger, { name });
}

/** What a partition at a position of a card consumes. */
export function consumesAt(card: string, profile: Profile, position: number): ConsumptionInput[] {
  const resourceProvider = { name: card };
  const slices = MEMORY.slice(position, position + sizeOf(profile));
  return [
    ...slices.map((resourceClass) => ({ resourceProvider, resourceClass, amount: 1 })),
    { resourceProvider, resourceClass: COMPUTE, amount: sizeOf(profile) },
  ];
}

/** The counters of a card. */
export const counterInventories = () => [...MEMORY.map((name) => inventory(name, 1)), inventory(COMPUTE, 4)];

export function partitionsOf(card: string): DesiredProvider[] {
  return Object.entries(PROFILES).flatMap(([profile, positions]) =>
    positions.map((position) => ({
      name: `${card}-${profile.slice(7).toLowerCase()}-${position}`,
      inventories: [inventory(profile, 1, { consumes: consumesAt(card, profile as Profile, position) })],
    })),
  );
}

/** A host with cards: `host-gpu0-1g-0` is the partition of a slice at position 0. */
export function hostWithCards(host: string, cards: number): DesiredProvider {
  const names = Array.from({ length: cards }, (_, at) => `${host}-gpu${at}`);
  return {
    name: host,
    inventories: [inventory('VCPU', 64)],
    children: names.map((name) => ({
      name,
      inventories: counterInventories(),
      children: partitionsOf(name),
    })),
  };
}

/** Creates a tree and returns the uuids of its providers by name. */
export async function created(
  { ledger }: ProcessDatabase,
  root: DesiredProvider,
): Promise<Readonly<Record<string, string>>> {
  const { changes } = await applyProviderTree(ledger, { root });
  return Object.fromEntries(changes.map(({ name, uuid }) => [name, uuid!]));
}

/** Returns the input of a consumer with these amounts, by the uuid of the provider and the class. */
export function wants(
  consumer: string,
  generation: number | null,
  byProvider: Takes,
  rest: Partial<ConsumerAllocationsInput> = {},
): ConsumerAllocationsInput {
  const allocations = Object.entries(byProvider).map(([resourceProvider, classes]) => ({
    resourceProvider,
    resources: amounts(classes as Record<string, number>),
  }));
  return { consumer, generation, projectId: 'p', userId: 'u', allocations, ...rest };
}

/** Allocates to a new consumer and returns its uuid. */
export async function placed({ claims }: ProcessDatabase, byProvider: Takes): Promise<string> {
  const consumer = randomUUID();
  await setAllocations(claims, { consumers: [wants(consumer, null, byProvider)] });
  return consumer;
}

/** Returns the allocations of a consumer as `provider class amount`, sorted. */
export async function allocationsOf({ pool }: ProcessDatabase, consumer: string): Promise<string[]> {
  const rows = await pool.query<{ text: string }[]>(
    `SELECT CONCAT(p.name, ' ', k.name, ' ', a.used) AS text FROM allocations a
       JOIN resource_providers p ON p.id = a.resource_provider_id
       JOIN resource_classes k ON k.id = a.resource_class_id WHERE a.consumer_id = ?`,
    [consumer],
  );
  return rows.map(({ text }) => text).sort();
}

/** Returns the rows of placement_consumptions of a provider as `class: amount class of provider`, sorted. */
export async function consumptionOf({ pool }: ProcessDatabase, uuid: string): Promise<string[]> {
  const rows = await pool.query<{ text: string }[]>(
    `SELECT CONCAT(k.name, ': ', c.amount, ' ', n.name, ' of ', o.name) AS text FROM placement_consumptions c
       JOIN resource_providers p ON p.id = c.provider_id JOIN resource_providers o ON o.id = c.counter_provider_id
       JOIN resource_classes k ON k.id = c.class_id JOIN resource_classes n ON n.id = c.counter_class_id
      WHERE p.uuid = ?`,
    [uuid],
  );
  return rows.map(({ text }) => text).sort();
}

interface Sum {
  readonly consumer: string;
  readonly provider: number;
  readonly class: number;
  readonly stored: number;
  readonly consumed: number;
}

/** By consumer and counter: the stored amount, and what the consumer's other allocations consume. */
const COUNTERS_OF_CONSUMERS = `SELECT consumer, provider, class, SUM(stored) AS stored, SUM(consumed) AS consumed
  FROM (SELECT a.consumer_id AS consumer, a.resource_provider_id AS provider, a.resource_class_id AS class,
               a.used AS stored, 0 AS consumed
          FROM allocations a WHERE EXISTS (SELECT 1 FROM placement_consumptions c
                WHERE c.counter_provider_id = a.resource_provider_id AND c.counter_class_id = a.resource_class_id)
        UNION ALL
        SELECT a.consumer_id, c.counter_provider_id, c.counter_class_id, 0, a.used * c.amount
          FROM allocations a JOIN placement_consumptions c
            ON c.provider_id = a.resource_provider_id AND c.class_id = a.resource_class_id) every
 GROUP BY consumer, provider, class`;

/** Returns the counters of which a consumer has another amount than its other allocations consume. */
export function wrongCounters({ pool }: Pick<ProcessDatabase, 'pool'>): Promise<readonly Sum[]> {
  return pool.query<Sum[]>(
    `SELECT consumer, provider, class, CAST(stored AS SIGNED) AS stored, CAST(consumed AS SIGNED) AS consumed
       FROM (${COUNTERS_OF_CONSUMERS}) amounts WHERE stored <> consumed`,
  );
}

/**
 * Returns the inventories whose usage exceeds the total, with their consumers. A consumer uses a counter by the larger of
 * its stored amount and of what its other allocations consume.
 */
export function overused({ pool }: Pick<ProcessDatabase, 'pool'>): Promise<readonly object[]> {
  return pool.query<object[]>(
    `SELECT p.name, k.name AS class, i.total, CAST(SUM(amounts.used) AS SIGNED) AS used,
            GROUP_CONCAT(consumer, ' ', stored, ' ', consumed) AS consumers
       FROM (SELECT *, GREATEST(stored, consumed) AS used FROM (${COUNTERS_OF_CONSUMERS}) counters
             UNION ALL
             SELECT a.consumer_id, a.resource_provider_id, a.resource_class_id, a.used, 0, a.used FROM allocations a
              WHERE NOT EXISTS (SELECT 1 FROM placement_consumptions c
                WHERE c.counter_provider_id = a.resource_provider_id AND c.counter_class_id = a.resource_class_id)) amounts
       JOIN inventories i ON i.resource_provider_id = amounts.provider AND i.resource_class_id = amounts.class
       JOIN resource_providers p ON p.id = amounts.provider JOIN resource_classes k ON k.id = amounts.class
      GROUP BY i.id, p.name, k.name, i.total HAVING SUM(amounts.used) > i.total`,
  );
}

/** A new host with cards: the uuids of its providers by name without the name of the host, and texts with their names. */
export async function newHost(database: ProcessDatabase, cards = 1) {
  const host = uniqueNames()('host');
  const byName = await created(database, hostWithCards(host, cards));
  const uuid = (name: string): string => byName[name === '' ? host : `${host}-${name}`];
  const lines = (...texts: string[]): string[] => texts.map((text) => `${host}-${text}`).sort();
  return { host, uuid, lines };
}

export type NewHost = Awaited<ReturnType<typeof newHost>>;

export async function providerId({ pool }: ProcessDatabase, uuid: string): Promise<number> {
  const [row] = await pool.query<{ id: number }[]>('SELECT id FROM resource_providers WHERE uuid = ?', [
    uuid,
  ]);
  return row.id;
}

/** Returns the free amount of a class of a provider. Expects the same in a new snapshot and in the live one. */
export async function freeAmount(
  database: ProcessDatabase,
  uuid: string,
  resourceClass: string,
): Promise<number> {
  const live = await database.snapshots.current();
  const { snapshot } = await loadSnapshot(database);
  const [one, other] = [live, snapshot].map((each) =>
    freeOf(each.locate(uuid)!, each.names.classes.idOf(resourceClass)!),
  );
  expect(one).toBe(other);
  return one;
}
