import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { migTree, type MigCard } from '../../src/command/fleetSources/migCards.js';
import type { SourceNode } from '../../src/command/fleetSources/source.js';
import { freeOf } from '../../src/fleet/snapshot.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { createResourceClass } from '../../src/store/ledger/catalog.js';
import type { DesiredProvider } from '../../src/store/ledger/tree/treeInput.js';
import { cases } from '../support/length.js';
import { CARDS, classOf, isFree, placementsOf, validStates, type Placement } from '../support/migCards.js';
import { useDatabase } from '../support/useDatabase.js';
import { endOf, inventory, times } from './support.js';
import { created, wants, wrongCounters } from './partitionSupport.js';

const database = useDatabase();

const ENGINES = {
  multiprocessors: 'CUSTOM_MIG_MULTIPROCESSORS',
  copyEngines: 'CUSTOM_MIG_COPY_ENGINES',
  decoders: 'CUSTOM_MIG_DECODERS',
  ofaEngines: 'CUSTOM_MIG_OFA_ENGINES',
} as const;
const NAMES = Object.keys(ENGINES) as (keyof typeof ENGINES)[];

/** Returns what placements use of the card, by the vendor's table: each of their memory slices, and their engines. */
function usedBy(card: MigCard, placements: readonly Placement[]): Record<string, number> {
  const slices = times(card.memorySlices, (slice) => [
    `CUSTOM_MIG_MEMORY_${slice}`,
    placements.filter((each) => (each.slices >> slice) & 1).length,
  ]);
  const engines = NAMES.map((name) => [
    ENGINES[name],
    placements.reduce((sum, { of }) => sum + (of[name] ?? 0), 0),
  ]);
  return Object.fromEntries([...slices, ...engines].filter(([, used]) => used !== 0)) as Record<
    string,
    number
  >;
}

function desired({ name, inventories = {}, children = [] }: SourceNode): DesiredProvider {
  return {
    name,
    inventories: Object.entries(inventories).map(([resourceClass, { total, consumes = [] }]) =>
      inventory(resourceClass, total, { consumes }),
    ),
    children: children.map(desired),
  };
}

/** A host with a card, and consumers that allocate one placement each. */
class CardHost {
  /** By the number of the placement: its consumer, and the stored generation of the consumer. */
  private readonly consumers = new Map<number, { readonly uuid: string; generation: number | null }>();
  readonly placements: readonly Placement[];

  private constructor(
    readonly card: MigCard,
    private readonly host: string,
    private readonly uuids: Readonly<Record<string, string>>,
  ) {
    this.placements = placementsOf(card);
  }

  static async create(card: MigCard, host: string): Promise<CardHost> {
    const { root } = migTree(card, host, 1);
    const [node] = root.children!;
    const classes = [node, ...node.children!].flatMap(({ inventories }) => Object.keys(inventories!));
    for (const name of new Set(classes)) await createResourceClass(database.ledger, { name });
    return new CardHost(card, host, await created(database, desired(root)));
  }

  uuidOf({ profile, position }: Placement): string {
    return this.uuids[`${this.host}-gpu-0-${profile}-${position}`];
  }

  takes(placement: Placement) {
    return { [this.uuidOf(placement)]: { [classOf(placement)]: 1 } };
  }

  /** Releases and allocates in one write, so that exactly these placements are in use. */
  async become(state: readonly Placement[]): Promise<void> {
    const wanted = new Set(state.map((each) => this.placements.findIndex((one) => isSame(one, each))));
    const inputs = this.placements.flatMap((placement, at) => {
      const stored = this.consumers.get(at);
      if (wanted.has(at) === (stored !== undefined)) return [];
      if (stored === undefined) this.consumers.set(at, { uuid: randomUUID(), generation: 1 });
      else this.consumers.delete(at);
      const { uuid, generation } = stored ?? { ...this.consumers.get(at)!, generation: null };
      return [wants(uuid, generation, wanted.has(at) ? this.takes(placement) : {})];
    });
    if (inputs.length > 0) await setAllocations(database.claims, { consumers: inputs });
  }

  /**
   * Returns the placements that one more consumer can allocate, each alone. Those of `expected` are claimed one after
   * another, because each replaces the last one, and all others at the same time.
   */
  async claimable(expected: readonly Placement[]): Promise<Placement[]> {
    const uuid = randomUUID();
    let generation: number | null = null;
    const accepted: Placement[] = [];
    const claim = async (placement: Placement, consumer: string): Promise<void> => {
      const stored = consumer === uuid ? generation : null;
      const consumers = [wants(consumer, stored, this.takes(placement))];
      const end = await endOf(setAllocations(database.claims, { consumers }));
      if (end === 'done') accepted.push(placement);
      else expect([placement, end]).toEqual([placement, 'CAPACITY_EXCEEDED']);
    };
    const others = this.placements.filter((each) => !expected.includes(each));
    await Promise.all(others.map((each) => claim(each, randomUUID())));
    for (const each of expected) {
      await claim(each, uuid);
      generation = (generation ?? 0) + 1;
    }
    if (generation !== null)
      await setAllocations(database.claims, { consumers: [wants(uuid, generation, {})] });
    return accepted;
  }

  /** Returns the placements that the live snapshot shows as free. */
  async free(): Promise<Placement[]> {
    const snapshot = await database.snapshots.current();
    return this.placements.filter((each) => {
      const resourceClass = snapshot.names.classes.idOf(classOf(each))!;
      return freeOf(snapshot.locate(this.uuidOf(each))!, resourceClass) === 1;
    });
  }

  /** Returns the stored usage of the card by class. */
  async stored(): Promise<Record<string, number>> {
    const rows = await database.pool.query<{ name: string; used: number }[]>(
      `SELECT k.name, CAST(SUM(a.used) AS SIGNED) AS used FROM allocations a
         JOIN resource_providers p ON p.id = a.resource_provider_id
         JOIN resource_classes k ON k.id = a.resource_class_id
        WHERE p.uuid = ? GROUP BY k.name`,
      [this.uuids[`${this.host}-gpu-0`]],
    );
    return Object.fromEntries(rows.map(({ name, used }) => [name, used]));
  }
}

const isSame = (one: Placement, other: Placement): boolean =>
  one.profile === other.profile && one.position === other.position;

const keyOf = (state: readonly Placement[]): string =>
  state
    .map(({ profile, position }) => `${profile} at ${position}`)
    .sort()
    .join();

/** docs/guides/gpus.md states this number. test/engine/counters compares candidates and headroom of the states. */
const STATES = 2319;
/** A run tries each state whose number is a multiple; a full run with PLACEMENT_PROPERTY_RUNS all. */
const EVERY = cases(process.env.PLACEMENT_PROPERTY_RUNS ? 1 : 8, 41);

describe.each(['A100-80GB', 'H100-80GB'])('a stored %s', (name) => {
  const states = validStates(CARDS[name]);

  test('accepts in each state exactly the claims that the vendor allows, and stores their counters', async () => {
    expect(states).toHaveLength(STATES);
    const host = await CardHost.create(CARDS[name], name.toLowerCase());
    const valid = new Set(states.map(keyOf));
    const reached = new Set(['']);
    // the reverse order, so that a state is no prefix of the next one
    for (const state of states.filter((_, at) => at % EVERY === 0).reverse()) {
      await host.become(state);
      const expected = host.placements.filter((each) => isFree(each, state));
      const free = keyOf(await host.free());
      const claimed = await host.claimable(expected);
      const fitting = keyOf(expected);
      expect({ state, free, claimed: keyOf(claimed) }).toEqual({ state, free: fitting, claimed: fitting });
      expect(await host.stored()).toEqual(usedBy(host.card, state));
      for (const each of claimed) reached.add(keyOf([...state, each]));
    }
    expect([...reached].filter((key) => !valid.has(key))).toEqual([]);
    if (EVERY === 1) expect(reached.size).toBe(STATES);
    await host.become([]);
    expect(await host.stored()).toEqual({});
    expect(await wrongCounters(database)).toEqual([]);
  }, 900_000);
});
