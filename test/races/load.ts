import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../oracle/random.js';
import { takes, type Takes } from '../support/claims.js';
import { RequestFailed, type Client, type Outcome } from './client.js';
import { allocationsRequest, inventoriesRequest, reshapeRequest } from './restWrites.js';
import { OVER_REST, WriteLog, projectOf, type Offer, type Wanted } from './writeLog.js';

/**
 * A class that every provider has one unit of and no consumer uses. A request for it returns all
 * providers.
 */
export const BEACON = 'PCPU';

/**
 * OWN: the classes of consumers that only one writer writes. SHARED: the class of consumers that
 * all writers write and reshapes move.
 */
const OWN = ['VCPU', 'MEMORY_MB'];
const SHARED = 'DISK_GB';

const PROVIDERS = 8;
const SHARED_CONSUMERS = 24;
const MOST_OWN = 5;
const NO_MAXIMUM = 2147483647;

interface Held {
  readonly generation: number;
  readonly amounts: Takes;
}

interface ShownProvider {
  readonly generation: number;
  readonly inventories: readonly (Omit<Offer, 'resourceClass'> & { resourceClass: { name: string } })[];
}

interface UsedProvider extends ShownProvider {
  readonly allocations: {
    readonly nodes: readonly { resourceClass: { name: string }; consumer: ShownConsumer }[];
  };
}

interface ShownConsumer {
  readonly uuid: string;
  readonly generation: number;
  readonly allocations: readonly {
    resourceProvider: { uuid: string };
    resourceClass: { name: string };
    amount: number;
  }[];
}

const CONSUMER = 'uuid generation allocations { resourceProvider { uuid } resourceClass { name } amount }';
const OFFER =
  'generation inventories { resourceClass { name } total reserved minUnit maxUnit stepSize allocationRatio }';
const USE = `allocations(first: 1000) { nodes { resourceClass { name } consumer { ${CONSUMER} } } }`;

/**
 * The lengths of hot waves, in which writers hardly pause, and of calm ones, in which a write that
 * must read first can succeed (ms).
 */
const WAVE = 1500;
const HOT_PAUSE = 20;
const CALM_PAUSE = 800;

/**
 * Random writes on a few providers by many concurrent writers, through all available servers:
 * claims, moves, swaps, releases, changes of inventories, reshapes. The seed determines all draws,
 * but the state that a writer reads depends on the race.
 */
export class Load {
  readonly log = new WriteLog();
  readonly providers: string[] = [];
  readonly writers: Writer[];
  readonly shared: readonly string[] = Array.from({ length: SHARED_CONSUMERS }, () => randomUUID());
  isOver = false;

  /** `servers` are the servers that are available now. The list may change while the load runs. */
  constructor(
    readonly servers: readonly Client[],
    seed: number,
    writers = 32,
    /** The share of the writes that are sent to the REST API, in percent. */
    readonly restShare = 0,
  ) {
    this.writers = Array.from({ length: writers }, (_, n) => new Writer(this, new Random(1000 * seed + n)));
  }

  /** Creates the providers. Every other one has disk. */
  async prepare(): Promise<void> {
    const [client] = this.servers;
    for (let n = 0; n < PROVIDERS; n++) {
      const uuid = randomUUID();
      this.providers.push(uuid);
      const inventories = [
        { resourceClass: BEACON, total: 1 },
        ...OWN.map((resourceClass) => ({ resourceClass, total: 30 })),
        ...(n % 2 === 0 ? [{ resourceClass: SHARED, total: 60 }] : []),
      ];
      const input = { name: `racecourse-${n}`, uuid, inventories };
      const made = await client.mutate('createResourceProvider', input, '__typename');
      if (made.kind !== 'done') throw new Error(JSON.stringify(made));
    }
  }

  get isHot(): boolean {
    return Math.floor(performance.now() / WAVE) % 2 === 0;
  }

  /** Waits until all writers are busy: a moment into the next hot wave. */
  async heat(): Promise<void> {
    while (this.isHot) await sleep(20);
    while (!this.isHot) await sleep(20);
    await sleep(WAVE / 3);
  }

  /** Runs all writers until {@link isOver}. */
  async run(): Promise<void> {
    await Promise.all(this.writers.map((writer) => writer.run()));
  }
}

/** A writer that does one operation after the other. */
class Writer {
  /** The consumers that this writer alone writes, as the last acknowledged write left them. */
  readonly own = new Map<string, Held>();

  constructor(
    private readonly load: Load,
    private readonly random: Random,
  ) {}

  /**
   * Returns the expected rows of this writer's consumers: `uuid generation provider class amount`.
   */
  remembered(): string[] {
    return [...this.own].flatMap(([consumer, { generation, amounts }]) =>
      Object.entries(amounts).flatMap(([provider, classes]) =>
        Object.entries(classes).map(([name, amount]) =>
          [consumer, generation, provider, name, amount].join(' '),
        ),
      ),
    );
  }

  async run(): Promise<void> {
    const { random } = this;
    while (!this.load.isOver) {
      const ended = await this.something().catch((error: unknown) => this.lost(error));
      const isHot = this.load.isHot && ended?.kind !== 'unknown';
      await sleep(random.between(0, isHot ? HOT_PAUSE : CALM_PAUSE));
    }
  }

  /** Ignores a read that found no server. Any other error is a fault of the test. */
  private lost(error: unknown): Outcome {
    if ((error as NodeJS.ErrnoException).code === undefined && !(error instanceof RequestFailed)) throw error;
    return { kind: 'unknown', reason: String(error) };
  }

  private something(): Promise<Outcome | null> {
    const { random, own } = this;
    const percentile = random.between(1, 100);
    if (percentile <= 10) return this.again(() => this.stock());
    if (percentile <= 18) return this.again(() => this.reshape());
    if (percentile <= 40) return this.useShared();
    if (own.size === 0 || (percentile <= 65 && own.size < MOST_OWN)) return this.claim();
    if (percentile <= 80) return this.move();
    if (percentile <= 88 && own.size > 1) return this.swap();
    return this.release();
  }

  /** Repeats a read and write a few times after a conflict with another writer. */
  private async again(work: () => Promise<Outcome | null>): Promise<Outcome | null> {
    for (let left = 6; ; left--) {
      const ended = await work();
      if (left === 0 || ended?.kind !== 'refused' || ended.code !== 'PROVIDER_GENERATION_CONFLICT')
        return ended;
    }
  }

  private claim(): Promise<Outcome> {
    return this.write('claim', [{ consumer: randomUUID(), generation: null, amounts: this.draw() }]);
  }

  private move(): Promise<Outcome> {
    const consumer = this.random.pick([...this.own.keys()]);
    return this.write('move', [this.wanted(consumer, this.draw())]);
  }

  /** Swaps the allocations of two consumers, which does not raise the usage (rule 96). */
  private swap(): Promise<Outcome> {
    const [one, two] = this.random.sample([...this.own.keys()], 2);
    const { amounts: first } = this.own.get(one)!;
    const { amounts: second } = this.own.get(two)!;
    return this.write('swap', [this.wanted(one, second), this.wanted(two, first)]);
  }

  private async release(): Promise<Outcome> {
    const consumer = this.random.pick([...this.own.keys()]);
    const wanted = this.wanted(consumer, {});
    if (this.random.chance(50)) return this.write('release', [wanted]);
    const isRest = this.isOverRest();
    return this.noteOwn(kindOf('delete', isRest), [wanted], () =>
      isRest
        ? this.client().rest({ method: 'DELETE', path: `/allocations/${consumer}` })
        : this.client().mutate('deleteConsumer', { consumer }, 'uuid'),
    );
  }

  /** Writes a consumer that others write, too. Of writers with the same generation one wins. */
  private async useShared(): Promise<Outcome> {
    const { random, load } = this;
    const uuid = random.pick(load.shared);
    const { consumer } = await this.client().read<{ consumer: ShownConsumer | null }>(
      `query ($uuid: UUID!) { consumer(uuid: $uuid) { ${CONSUMER} } }`,
      { uuid },
    );
    const isReleased = consumer !== null && random.chance(30);
    const amounts = isReleased ? {} : { [random.pick(load.providers)]: { [SHARED]: random.between(1, 9) } };
    const wanted = [{ consumer: uuid, generation: consumer?.generation ?? null, amounts }];
    const isRest = this.isOverRest();
    return load.log.record(kindOf('share', isRest), { consumers: wanted }, (number) =>
      this.send(wanted, number, isRest),
    );
  }

  /** Changes the inventories of a provider: one, or the whole set, which may omit a class. */
  private async stock(): Promise<Outcome> {
    const { random, load } = this;
    const resourceProvider = random.pick(load.providers);
    const { generation, inventories } = await this.offerOf(resourceProvider);
    const isWhole = random.chance(50);
    const classes = inventories
      .map(({ resourceClass }) => resourceClass.name)
      .filter((name) => name !== BEACON);
    const chosen = isWhole ? random.some(classes, 90) : [random.pick([...OWN, SHARED])];
    const offersOf = (number: number): Offer[] => chosen.map((name) => this.offer(name, number));
    const isRest = this.isOverRest() && (isWhole || classes.includes(chosen[0]));
    return load.log.record(
      kindOf('stock', isRest),
      { stocked: [{ provider: resourceProvider, generation, resourceClasses: chosen }] },
      (number) => {
        const beacon = { resourceClass: BEACON, total: 1 };
        const inventories = isWhole ? { set: [beacon, ...offersOf(number)] } : { add: [offersOf(number)[0]] };
        if (isRest) return this.client().rest(inventoriesRequest(resourceProvider, generation, inventories));
        const on = { resourceProvider: { uuid: resourceProvider }, generation };
        return this.client().mutate('updateResourceProvider', { ...on, inventories }, '__typename');
      },
    );
  }

  /** Moves the disk of one provider to another, with all of its consumers (rules 181-185). */
  private async reshape(): Promise<Outcome | null> {
    const { random, load } = this;
    const [one, other] = random.sample(load.providers, 2);
    const { from, to } = await this.pair(one, other);
    const moved = from.inventories.find(({ resourceClass }) => resourceClass.name === SHARED);
    if (moved === undefined) return null;
    const found = to.inventories.find(({ resourceClass }) => resourceClass.name === SHARED);
    const consumers = from.allocations.nodes
      .filter(({ resourceClass }) => resourceClass.name === SHARED)
      .map(({ consumer }): Wanted => ({
        consumer: consumer.uuid,
        generation: consumer.generation,
        amounts: { [other]: { [SHARED]: consumer.allocations.reduce((sum, { amount }) => sum + amount, 0) } },
      }));
    const isTorn = consumers.some(({ amounts }) => amounts[other][SHARED] === 0);
    if (isTorn) return null; // read partly before and partly after the write of another writer
    const without = ({ inventories }: ShownProvider): object[] =>
      inventories.flatMap(({ resourceClass: { name }, ...rest }) =>
        name === SHARED ? [] : [{ resourceClass: name, ...rest }],
      );
    const room = moved.total - moved.reserved + (found ? found.total - found.reserved : 0);
    const isRest = this.isOverRest();
    // REST counts the inventories of both states, and the allocations (D26)
    const step = isRest ? 2 + Math.min(consumers.length, 1) : 1;
    return load.log.record(
      kindOf('reshape', isRest),
      {
        consumers,
        stocked: [
          { provider: one, generation: from.generation, resourceClasses: [] },
          { provider: other, generation: to.generation, resourceClasses: [SHARED], step },
        ],
      },
      (number) => {
        const arrived = { resourceClass: SHARED, total: number + room, reserved: number };
        const inventories = [
          { resourceProvider: { uuid: one }, generation: from.generation, inventories: without(from) },
          {
            resourceProvider: { uuid: other },
            generation: to.generation,
            inventories: [...without(to), arrived],
          },
        ];
        if (isRest) return this.client().rest(reshapeRequest(inventories, consumers, number));
        const allocations = this.inputs(consumers, number);
        return this.client().mutate('reshape', { inventories, allocations }, '__typename');
      },
    );
  }

  private write(kind: string, consumers: readonly Wanted[]): Promise<Outcome> {
    const isRest = this.isOverRest();
    return this.noteOwn(kindOf(kind, isRest), consumers, (number) => this.send(consumers, number, isRest));
  }

  private isOverRest(): boolean {
    return this.random.chance(this.load.restShare);
  }

  /**
   * Records a write of own consumers and their new state. After an unknown outcome it forgets the
   * consumers.
   */
  private async noteOwn(
    kind: string,
    consumers: readonly Wanted[],
    send: (number: number) => Promise<Outcome>,
  ): Promise<Outcome> {
    const outcome = await this.load.log.record(kind, { consumers }, send);
    for (const { consumer, generation, amounts } of consumers) {
      if (outcome.kind === 'refused') continue;
      if (outcome.kind === 'unknown' || Object.keys(amounts).length === 0) this.own.delete(consumer);
      else this.own.set(consumer, { generation: (generation ?? 0) + 1, amounts });
    }
    return outcome;
  }

  private send(consumers: readonly Wanted[], number: number, isRest: boolean): Promise<Outcome> {
    if (isRest) return this.client().rest(allocationsRequest(consumers, number));
    return this.client().mutate(
      'setAllocations',
      { consumers: this.inputs(consumers, number) },
      '__typename',
    );
  }

  private inputs(consumers: readonly Wanted[], number: number): object[] {
    const owner = { projectId: projectOf(number), userId: 'racer' };
    return consumers.map(({ consumer, generation, amounts }) => takes(consumer, generation, amounts, owner));
  }

  private wanted(consumer: string, amounts: Takes): Wanted {
    return { consumer, generation: this.own.get(consumer)!.generation, amounts };
  }

  private draw(): Takes {
    const { random } = this;
    const amounts = (): Record<string, number> =>
      Object.fromEntries(
        random.sample(OWN, random.between(1, 2)).map((name) => [name, random.between(1, 6)]),
      );
    const providers = random.sample(this.load.providers, random.chance(30) ? 2 : 1);
    return Object.fromEntries(providers.map((uuid) => [uuid, amounts()]));
  }

  private offer(resourceClass: string, number: number): Offer {
    const { random } = this;
    const isUneven = resourceClass !== SHARED;
    return {
      resourceClass,
      total: number + random.between(5, 50),
      reserved: number,
      minUnit: isUneven ? random.pick([1, 1, 1, 2]) : 1,
      maxUnit: isUneven ? random.pick([5, NO_MAXIMUM, NO_MAXIMUM]) : NO_MAXIMUM,
      stepSize: isUneven ? random.pick([1, 1, 1, 2]) : 1,
      allocationRatio: random.pick([1, 1, 0.7, 1.15]),
    };
  }

  private async offerOf(uuid: string): Promise<ShownProvider> {
    const query = `query ($uuid: UUID!) { shown: resourceProvider(by: { uuid: $uuid }) { ${OFFER} } }`;
    return (await this.client().read<{ shown: ShownProvider }>(query, { uuid })).shown;
  }

  private pair(from: string, to: string): Promise<{ from: UsedProvider; to: ShownProvider }> {
    const query = `query ($from: UUID!, $to: UUID!) {
      from: resourceProvider(by: { uuid: $from }) { ${OFFER} ${USE} }
      to: resourceProvider(by: { uuid: $to }) { ${OFFER} }
    }`;
    return this.client().read(query, { from, to });
  }

  private client(): Client {
    return this.random.pick(this.load.servers);
  }
}

function kindOf(kind: string, isRest: boolean): string {
  return isRest ? OVER_REST + kind : kind;
}
