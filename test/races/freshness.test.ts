import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { expectSame } from '../model/keepAlive.js';
import { Random } from '../oracle/random.js';
import { takes } from '../support/claims.js';
import { CONNECTION_LOST, type Client, type Outcome } from './client.js';
import { twoServers } from './twoServers.js';
import { cases } from '../support/length.js';

const ROUNDS = cases(10_000, 200);
const LANES = 16;
const LOADERS = 2;

const running = twoServers();

function isDone(outcome: Outcome): boolean {
  if (outcome.kind === 'unknown' && outcome.reason === CONNECTION_LOST) return false;
  expect(outcome).toMatchObject({ kind: 'done' });
  return true;
}

/** A provider that only one lane writes, and the expected result of a read. */
class Lane {
  readonly uuid = randomUUID();
  private readonly consumer = randomUUID();
  private generation = 0;
  private consumerGeneration: number | null = null;
  private capacity = 0;
  private used = 0;

  private constructor(private readonly random: Random) {}

  static async begin(client: Client, random: Random): Promise<Lane> {
    const lane = new Lane(random);
    const made = await client.mutate(
      'createResourceProvider',
      { name: lane.uuid, uuid: lane.uuid },
      '__typename',
    );
    expect(made.kind).toBe('done');
    expect(await lane.offer(client)).toBe(true);
    return lane;
  }

  /**
   * Changes the inventory or the usage of the provider, so that the next read must differ. Returns
   * false if the connection was lost, because the expected result is then unknown.
   */
  write(client: Client): Promise<boolean> {
    return this.random.chance(50) ? this.offer(client) : this.use(client);
  }

  private async offer(client: Client): Promise<boolean> {
    const total = this.another(this.capacity, 20, 40);
    const input = {
      resourceProvider: { uuid: this.uuid },
      generation: this.generation,
      inventories: { add: [{ resourceClass: 'VCPU', total }] },
    };
    if (!isDone(await client.mutate('updateResourceProvider', input, '__typename'))) return false;
    this.capacity = total;
    this.generation += 1;
    return true;
  }

  private async use(client: Client): Promise<boolean> {
    const amount = this.another(this.used, 0, 10);
    const amounts = amount === 0 ? {} : { [this.uuid]: { VCPU: amount } };
    const consumers = [takes(this.consumer, this.consumerGeneration, amounts)];
    if (!isDone(await client.mutate('setAllocations', { consumers }, '__typename'))) return false;
    this.used = amount;
    this.consumerGeneration = amount === 0 ? null : (this.consumerGeneration ?? 0) + 1;
    this.generation += 1;
    return true;
  }

  /**
   * Requests exactly the free amount, which only the newest state gives, and compares every number
   * of the answer.
   */
  async read(client: Client): Promise<void> {
    const free = this.capacity - this.used;
    const answer = await client.read(CANDIDATES, { provider: this.uuid, free });
    const resources = [{ resourceClass: { name: 'VCPU' }, capacity: this.capacity, used: this.used }];
    expectSame(answer, {
      fits: {
        allocationRequests: [
          { allocations: [{ resources: [{ resourceClass: { name: 'VCPU' }, amount: free }] }] },
        ],
        providerSummaries: [{ resourceProvider: { generation: this.generation }, resources }],
      },
    });
  }

  private another(value: number, low: number, high: number): number {
    const drawn = this.random.between(low, high - 1);
    return drawn >= value ? drawn + 1 : drawn;
  }
}

const CANDIDATES = `query ($provider: UUID!, $free: Int!) {
  fits: allocationCandidates(request: { groups: [{ inTree: { uuid: $provider }, resources: [{ resourceClass: "VCPU", amount: $free }] }] }) {
    allocationRequests { allocations { resources { resourceClass { name } amount } } }
    providerSummaries { resourceProvider { generation } resources { resourceClass { name } capacity used } }
  }
}`;

test('the next candidates of one server show the writes of the other, thousands of times under load, without a full load', async () => {
  const [one, other] = running.clients;
  let left = ROUNDS;
  let [rounds, extra] = [0, 0];
  const lane = async (n: number): Promise<void> => {
    const random = new Random(n);
    let mine = await Lane.begin(one, random);
    while (left > 0) {
      left -= 1;
      const [writer, reader] = random.chance(50) ? [one, other] : [other, one];
      if (await mine.write(writer)) {
        await mine.read(reader);
        rounds += 1;
      } else {
        left += 1;
        mine = await Lane.begin(one, random);
      }
    }
  };
  const loader = async (n: number): Promise<void> => {
    const client = n % 2 === 0 ? one : other;
    const mine = await Lane.begin(client, new Random(LANES + n));
    while (left > 0 && (await mine.write(client))) extra += 1;
  };
  await Promise.all([
    ...Array.from({ length: LANES }, (_, n) => lane(n)),
    ...Array.from({ length: LOADERS }, (_, n) => loader(n)),
  ]);
  expect(rounds).toBe(ROUNDS);
  expect(extra).toBeGreaterThan(ROUNDS / 20);
  expect(await Promise.all(running.clients.map((client) => client.fullLoads()))).toEqual([1, 1]);
}, 900_000);
