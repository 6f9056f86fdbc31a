import { afterEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setAllocations, takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { Commits } from './commits.js';
import { SECONDS } from './settings.js';
import { READ_COMMITTED, sharedDatabase, type SharedDatabase } from './sharedDatabase.js';

/** The numbers of writers of each program and of providers, and the total of each provider. */
const WRITERS = 16;
const PROVIDERS = 4;
const TOTAL = 40;
/** The maximum amount of a claim. */
const MOST = 3;

const CLASS = 'CUSTOM_SLOT';

interface Tally {
  rounds: number;
  /** Claims that a program has acknowledged, by consumer. */
  readonly acknowledged: { readonly ours: Set<string>; readonly theirs: Set<string> };
  /** Providers over capacity, by the program whose commit brought them there. */
  readonly exceeded: { ours: number; theirs: number };
  readonly refused: Map<string, number>;
}

let shared: SharedDatabase | undefined;
afterEach(async () => {
  await shared?.close();
  shared = undefined;
});

/** Claims on one fleet after another until each is full. */
async function race(session: string | undefined, who: readonly ('ours' | 'theirs')[]): Promise<Tally> {
  shared = await sharedDatabase(session);
  const { api, reference, database } = shared;
  const commits = await Commits.record(database);
  const tally: Tally = {
    rounds: 0,
    acknowledged: { ours: new Set(), theirs: new Set() },
    exceeded: { ours: 0, theirs: 0 },
    refused: new Map(),
  };
  await api.mutate('createResourceClass', { name: CLASS });
  for (const end = Date.now() + SECONDS * 1000; Date.now() < end; tally.rounds++) {
    const providers = await fleet(tally.rounds);
    const claims = who.flatMap((program) =>
      Array.from({ length: WRITERS }, () => claimUntilFull(program, providers)),
    );
    await Promise.all(claims);
    const found = await commits.exceeded(providers, TOTAL, tally.acknowledged.ours);
    tally.exceeded.ours += found.ours;
    tally.exceeded.theirs += found.theirs;
  }
  await expectConsistent();
  return tally;

  async function fleet(round: number): Promise<string[]> {
    const names = Array.from({ length: PROVIDERS }, (_, at) => `round ${round} host ${at}`);
    const inventories = { [CLASS]: TOTAL };
    return Promise.all(names.map(async (name) => (await createProviders(api, { name, inventories }))[name]));
  }

  /** Claims from random providers until each has refused a claim for one unit. */
  async function claimUntilFull(program: 'ours' | 'theirs', providers: readonly string[]): Promise<void> {
    const left = new Set(providers);
    while (left.size > 0) {
      const provider = [...left][Math.floor(Math.random() * left.size)];
      const amount = 1 + Math.floor(Math.random() * MOST);
      const consumer = randomUUID();
      const said = await (program === 'ours' ? claimOurs : claimTheirs)(consumer, provider, amount);
      if (said === null) tally.acknowledged[program].add(consumer);
      else tally.refused.set(`${program} ${said}`, (tally.refused.get(`${program} ${said}`) ?? 0) + 1);
      if (said === FULL && amount === 1) left.delete(provider);
    }
  }

  async function claimOurs(consumer: string, provider: string, amount: number): Promise<string | null> {
    const claim = takes(consumer, null, { [provider]: { [CLASS]: amount } });
    const type = String((await setAllocations(api, claim)).__typename);
    if (type === 'CapacityExceededError') return FULL;
    return type === 'SetAllocationsPayload' ? null : type;
  }

  async function claimTheirs(consumer: string, provider: string, amount: number): Promise<string | null> {
    const { status, body } = await reference.send('PUT', `/allocations/${consumer}`, {
      allocations: { [provider]: { resources: { [CLASS]: amount } } },
      project_id: 'p',
      user_id: 'u',
      consumer_type: 'INSTANCE',
      consumer_generation: null,
    });
    if (status === 204) return null;
    const text = JSON.stringify(body);
    if (text.includes('capacity')) return FULL;
    return text.includes('concurrent_update') ? 'concurrent update' : `HTTP ${status}`;
  }

  /** Expects the database to contain exactly the acknowledged claims. */
  async function expectConsistent(): Promise<void> {
    const rows = await database.pool.query<{ consumer: string; generation: number | null }[]>(
      `SELECT a.consumer_id AS consumer, c.generation FROM allocations a
        LEFT JOIN consumers c ON c.uuid = a.consumer_id`,
    );
    const stored = rows.map(({ consumer }) => consumer).sort();
    const { ours, theirs } = tally.acknowledged;
    expect(stored).toEqual([...ours, ...theirs].sort());
    expect(rows.filter(({ generation }) => generation !== 1)).toEqual([]);
  }
}

const FULL = 'full';

function tell(what: string, { rounds, acknowledged, exceeded, refused }: Tally): void {
  const figures = {
    providers: rounds * PROVIDERS,
    acknowledged: { ours: acknowledged.ours.size, theirs: acknowledged.theirs.size },
    'over capacity': exceeded,
    refused: Object.fromEntries(refused),
  };
  process.stderr.write(`${what}: ${JSON.stringify(figures)}\n`);
}

const LIMIT = 120_000 + SECONDS * 2_000;

describe('writers of both programs claim the last units', () => {
  test(
    'the reference by itself',
    async () => {
      const tally = await race(undefined, ['theirs', 'theirs']);
      tell('the reference by itself', tally);
    },
    LIMIT,
  );

  test(
    'side by side: no commit of this server exceeds a capacity',
    async () => {
      const tally = await race(undefined, ['ours', 'theirs']);
      tell('side by side', tally);
      expect(tally.exceeded.ours).toBe(0);
    },
    LIMIT,
  );

  test.each([
    ['READ COMMITTED', READ_COMMITTED],
    ['innodb_snapshot_isolation', 'SET SESSION innodb_snapshot_isolation = ON'],
  ])(
    'writers beside the reference with %s exceed no capacity',
    async (what, session) => {
      const tally = await race(session, ['ours', 'theirs']);
      tell(`side by side, the reference with ${what}`, tally);
      expect(tally.exceeded).toEqual({ ours: 0, theirs: 0 });
    },
    LIMIT,
  );
});
