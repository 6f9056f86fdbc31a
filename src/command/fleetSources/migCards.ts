import { readFile } from 'node:fs/promises';
import { Failure } from '../failure.js';
import { customName, type SourceInventory, type SourceNode, type SourceTree } from './source.js';

/** The amounts that positions do not matter for, in the order of their counters. */
const ENGINES = {
  multiprocessors: 'CUSTOM_MIG_MULTIPROCESSORS',
  copyEngines: 'CUSTOM_MIG_COPY_ENGINES',
  decoders: 'CUSTOM_MIG_DECODERS',
  ofaEngines: 'CUSTOM_MIG_OFA_ENGINES',
} as const;

type Engines = Readonly<Partial<Record<keyof typeof ENGINES, number>>>;

export interface MigProfile extends Engines {
  /** The number of consecutive memory slices. */
  readonly size: number;
  /** The memory slices that an instance can begin with. */
  readonly positions: readonly number[];
  /** The largest number of instances at a time, as the vendor states it. */
  readonly instances: number;
}

export interface MigCard {
  readonly memorySlices: number;
  readonly totals: Engines;
  /** By name, such as `1g.10gb`. */
  readonly profiles: Readonly<Record<string, MigProfile>>;
}

/** Reads the cards of prisma/catalog/mig.yaml by name. */
export async function readMigCards(): Promise<Readonly<Record<string, MigCard>>> {
  const { parse } = await import('yaml');
  const text = await readFile(new URL('../../../prisma/catalog/mig.yaml', import.meta.url), 'utf8');
  return (parse(text) as { readonly cards: Record<string, MigCard> }).cards;
}

/** Returns the card with a name. Throws a Failure that lists the cards. */
export async function migCard(name: string): Promise<MigCard> {
  const cards = await readMigCards();
  if (Object.hasOwn(cards, name)) return cards[name];
  throw Failure.usage(`"${name}" is no card: it must be one of ${Object.keys(cards).join(', ')}`);
}

/** Returns a tree of a host with `count` cards, `HOST-gpu-0` and following, and a partition for each placement. */
export function migTree(card: MigCard, host: string, count: number): SourceTree {
  const children = Array.from({ length: count }, (_, at) => cardNode(card, `${host}-gpu-${at}`));
  return { root: { name: host, children } };
}

const memoryClass = (slice: number): string => `CUSTOM_MIG_MEMORY_${slice}`;

export const profileClass = (profile: string): string => customName('MIG', profile);

function cardNode({ memorySlices, totals, profiles }: MigCard, name: string): SourceNode {
  const memory = Array.from({ length: memorySlices }, (_, slice) => [memoryClass(slice), { total: 1 }]);
  const engines = enginesOf(totals).map(([resourceClass, total]) => [resourceClass, { total }]);
  return {
    name,
    inventories: Object.fromEntries([...memory, ...engines]) as Record<string, SourceInventory>,
    children: Object.entries(profiles).flatMap(([profile, each]) =>
      each.positions.map((position) => partitionNode(name, profile, each, position)),
    ),
  };
}

function partitionNode(card: string, profile: string, of: MigProfile, position: number): SourceNode {
  const resourceProvider = { name: card };
  const slices = Array.from({ length: of.size }, (_, at) => memoryClass(position + at));
  const consumes = [...slices.map((each) => [each, 1] as const), ...enginesOf(of)].map(
    ([resourceClass, amount]) => ({ resourceProvider, resourceClass, amount }),
  );
  return {
    name: `${card}-${profile}-${position}`,
    inventories: { [profileClass(profile)]: { total: 1, consumes } },
  };
}

function enginesOf(engines: Engines): (readonly [resourceClass: string, amount: number])[] {
  return (Object.keys(ENGINES) as (keyof typeof ENGINES)[]).flatMap((engine) => {
    const amount = engines[engine] ?? 0;
    return amount === 0 ? [] : [[ENGINES[engine], amount] as const];
  });
}
