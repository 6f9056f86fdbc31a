import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adopt } from '../../src/database/adoption/adopt.js';
import { Client } from '../races/client.js';
import { startBinaryLogServer } from '../support/binaryLogServer.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { ServerProcess } from '../support/serverProcess.js';
import { Reference } from '../../bench/beside/reference.js';

/**
 * How soon this server answers from what OpenStack Placement has written: candidates, which come from the snapshot, are asked for until
 * they are those of the new state.
 */

const START = 120_000;
const HEAP_MIB = 512;
const ROUNDS = 3;
/** Much more than what is promised: the machine may have other work. What it took is printed. */
const LONGEST_MS = 10_000;

let databaseServer: Awaited<ReturnType<typeof startBinaryLogServer>>;
let database: TestDatabase;
let reference: Reference;

beforeAll(async () => {
  databaseServer = await startBinaryLogServer();
  database = await emptyDatabase();
  reference = await Reference.start(database.url);
  await adopt(database);
}, START);
afterAll(async () => {
  await reference?.stop();
  await database?.close();
  await databaseServer?.stop();
}, START);

const QUESTION = `query ($request: AllocationCandidatesInput!) {
  allocationCandidates(request: $request) { providerSummaries { resourceProvider { uuid name } } }
}`;

/** What is asked for of one provider. */
interface Wanted {
  readonly amount?: number;
  readonly resourceClass?: string;
  readonly trait?: string;
  readonly aggregate?: string;
  readonly inTree?: string;
}

/** The name of the provider if it is a candidate, null if not, and what is wrong with the question where it names something unknown. */
async function ask(client: Client, uuid: string, wanted: Wanted): Promise<string | null> {
  const { amount = 1, resourceClass = 'VCPU', trait, aggregate, inTree = uuid } = wanted;
  const group = {
    resources: [{ resourceClass, amount }],
    requiredTraits: trait === undefined ? [] : [[trait]],
    memberOf: aggregate === undefined ? [] : [[{ uuid: aggregate }]],
    inTree: { uuid: inTree },
  };
  try {
    const { allocationCandidates } = await client.read<{
      allocationCandidates: { providerSummaries: { resourceProvider: { uuid: string; name: string } }[] };
    }>(QUESTION, { request: { groups: [group] } });
    const found = allocationCandidates.providerSummaries.map(({ resourceProvider }) => resourceProvider);
    return found.find((each) => each.uuid === uuid)?.name ?? null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A provider that OpenStack Placement makes, and what it then does with it. */
class Host {
  readonly uuid = randomUUID();
  readonly name = `host-${this.uuid}`;
  generation = 0;

  async send(method: string, path: string, body?: unknown, version?: string): Promise<void> {
    const { status, body: answer } = await reference.send(method, path, body, version);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  }

  async create(): Promise<void> {
    await this.send('POST', '/resource_providers', { uuid: this.uuid, name: this.name });
    await this.setInventory(10);
  }

  async setInventory(total: number, resourceClass = 'VCPU'): Promise<void> {
    await this.send('PUT', `/resource_providers/${this.uuid}/inventories`, {
      resource_provider_generation: this.generation++,
      inventories: { [resourceClass]: { total } },
    });
  }

  update(fields: object): Promise<void> {
    return this.send('PUT', `/resource_providers/${this.uuid}`, { name: this.name, ...fields });
  }

  async setTraits(traits: readonly string[]): Promise<void> {
    const resource_provider_generation = this.generation++;
    await this.send('PUT', `/resource_providers/${this.uuid}/traits`, {
      resource_provider_generation,
      traits,
    });
  }

  async setAggregates(aggregates: readonly string[]): Promise<void> {
    const resource_provider_generation = this.generation++;
    const path = `/resource_providers/${this.uuid}/aggregates`;
    await this.send('PUT', path, { resource_provider_generation, aggregates });
  }

  async claim(consumer: string, amount: number): Promise<void> {
    this.generation++;
    await this.send('PUT', `/allocations/${consumer}`, {
      allocations: { [this.uuid]: { resources: { VCPU: amount } } },
      consumer_generation: null,
      consumer_type: 'INSTANCE',
      project_id: 'p',
      user_id: 'u',
    });
  }
}

/** A write, what is asked for, and what is answered before and when the write has been seen. */
interface Step {
  readonly name: string;
  readonly wanted: Wanted;
  readonly seen: (answer: string | null) => boolean;
  readonly write: () => Promise<void>;
}

function stepsOf(host: Host, parent: Host): Step[] {
  const [consumer, aggregate, older] = [randomUUID(), randomUUID(), randomUUID()];
  const suffix = host.uuid.slice(0, 8).toUpperCase();
  const [trait, resourceClass] = [`CUSTOM_T_${suffix}`, `CUSTOM_C_${suffix}`];
  const isCandidate = (answer: string | null): boolean => answer === host.name;
  const isNone = (answer: string | null): boolean => answer === null;
  const aggregates = `/resource_providers/${host.uuid}/aggregates`;
  return [
    { name: 'a provider with an inventory', wanted: {}, seen: isCandidate, write: () => host.create() },
    { name: 'a claim', wanted: { amount: 8 }, seen: isNone, write: () => host.claim(consumer, 4) },
    {
      name: 'a release',
      wanted: { amount: 8 },
      seen: isCandidate,
      write: () => host.send('DELETE', `/allocations/${consumer}`),
    },
    { name: 'an inventory', wanted: { amount: 20 }, seen: isCandidate, write: () => host.setInventory(20) },
    {
      name: 'a trait that no provider has',
      wanted: { trait },
      seen: isNone,
      write: () => host.send('PUT', `/traits/${trait}`),
    },
    {
      name: "a provider's trait",
      wanted: { trait },
      seen: isCandidate,
      write: () => host.setTraits([trait]),
    },
    {
      name: 'a resource class that no provider has',
      wanted: { resourceClass },
      seen: isNone,
      write: () => host.send('PUT', `/resource_classes/${resourceClass}`),
    },
    {
      name: 'aggregates',
      wanted: { aggregate },
      seen: isCandidate,
      write: () => host.setAggregates([aggregate]),
    },
    {
      name: 'aggregates by microversion 1.1',
      wanted: { aggregate: older },
      seen: isCandidate,
      write: () => host.send('PUT', aggregates, [aggregate, older], '1.1'),
    },
    {
      name: 'another name',
      wanted: {},
      seen: (answer) => answer === 'renamed',
      write: () => host.update({ name: 'renamed' }),
    },
    {
      name: 'another parent',
      wanted: { inTree: parent.uuid },
      seen: isCandidate,
      write: () => host.update({ parent_provider_uuid: parent.uuid }),
    },
    {
      name: 'a deletion',
      wanted: {},
      seen: isNone,
      write: () => host.send('DELETE', `/resource_providers/${host.uuid}`),
    },
  ];
}

async function untilSeen(client: Client, { uuid }: Host, { wanted, seen, name }: Step): Promise<number> {
  const begin = performance.now();
  for (;;) {
    const answer = await ask(client, uuid, wanted);
    const took = performance.now() - begin;
    if (seen(answer)) return took;
    if (took > LONGEST_MS) throw new Error(`${name} is not seen: ${answer}`);
    await sleep(5);
  }
}

const WAYS: readonly { way: string; environment: Record<string, string> }[] = [
  { way: 'by comparison, as it is without any setting', environment: {} },
  { way: 'by the binary log', environment: { PLACEMENT_FOREIGN_WRITES_BINARY_LOG: '1' } },
];

describe.each(WAYS)('what OpenStack Placement writes is seen $way', ({ environment, way }) => {
  let server: ServerProcess;
  let client: Client;

  beforeAll(async () => {
    server = await ServerProcess.start(database.url, HEAP_MIB, environment);
    client = new Client(server.url);
    await sleep(2_000);
  }, START);
  afterAll(async () => {
    client?.close();
    await server?.stop();
  }, START);

  test(
    'every kind of write',
    async () => {
      const waits = new Map<string, number[]>();
      for (let round = 0; round < ROUNDS; round++) {
        const [host, parent] = [new Host(), new Host()];
        await parent.create();
        for (const step of stepsOf(host, parent)) {
          expect([step.name, step.seen(await ask(client, host.uuid, step.wanted))]).toEqual([
            step.name,
            false,
          ]);
          await step.write();
          const took = await untilSeen(client, host, step);
          waits.set(step.name, [...(waits.get(step.name) ?? []), took]);
        }
      }
      const lines = Array.from(
        waits,
        ([name, times]) => `  ${name}: ${Math.max(...times).toFixed(0)} ms at most`,
      );
      process.stderr.write(`seen ${way}, after each of ${ROUNDS} writes\n${lines.join('\n')}\n`);
      expect(server.complaints).toBe('');
    },
    ROUNDS * 12 * LONGEST_MS,
  );
});
