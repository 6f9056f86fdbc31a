import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fc } from '../support/fastCheck.js';
import { randomInt } from 'node:crypto';
import { startApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { withKeepAlive } from './keepAlive.js';
import { Run } from './run.js';

const RUNS = Number(process.env.PLACEMENT_MODEL_RUNS ?? 300);
/** Random unless given; the name of the test reports it. */
const SEED = Number(process.env.PLACEMENT_MODEL_SEED ?? randomInt(2 ** 31));
/** A shorter run does not reach everything. */
const ENOUGH_RUNS = 300;
const STEPS = 60;
/** Sequences under way at the same time, each on a database of its own. */
const LANES = 2;

interface Lane {
  readonly database: TestDatabase;
  readonly api: Api;
}

/** A step is a seed, from which the state makes a command; null, which only shrinking brings, is no step. */
const steps = fc.array(fc.option(fc.noBias(fc.integer()), { freq: 1_000_000_000 }), {
  minLength: STEPS,
  maxLength: STEPS,
});

async function follow(run: Run, seeds: readonly (number | null)[]): Promise<void> {
  await run.begin();
  for (const seed of seeds) if (seed !== null) await run.step(seed);
  await run.end();
}

let lanes: Lane[];
const ends = new Map<string, number>();

beforeAll(async () => {
  lanes = await Promise.all(
    Array.from({ length: LANES }, async () => {
      const database = await testDatabase();
      return { database, api: withKeepAlive(await startApi(database)) };
    }),
  );
});
afterAll(async () => {
  for (const { api, database } of lanes) {
    await api.close();
    await database.close();
  }
});

test(`any sequence of mutations leads where the model says (PLACEMENT_MODEL_SEED=${SEED})`, async () => {
  await Promise.all(
    lanes.map((lane, n) =>
      fc.assert(
        fc.asyncProperty(steps, (seeds) => follow(new Run(lane.api, lane.database, ends), seeds)),
        { numRuns: Math.ceil(RUNS / LANES), seed: SEED + n },
      ),
    ),
  );
  for (const { api } of lanes) expect(api.logged).toEqual([]);
}, 1_200_000);

(RUNS < ENOUGH_RUNS ? test.skip : test)(
  'the sequences come to every mutation and to every refusal, and most mutations succeed',
  async () => {
    const { api } = lanes[0];
    const codes = await api.query<{ type: { enumValues: { name: string }[] } }>(
      '{ type: __type(name: "ErrorCode") { enumValues { name } } }',
    );
    const mutations = await api.query<{ type: { fields: { name: string }[] } }>(
      '{ type: __type(name: "Mutation") { fields { name } } }',
    );
    const counts = new Map<string, number>();
    for (const [end, times] of ends) {
      for (const part of end.split(' ')) counts.set(part, (counts.get(part) ?? 0) + times);
    }
    const all = [...ends.values()].reduce((sum, times) => sum + times, 0);
    // without a rival there is no race to lose
    const expected = ['OK', ...codes.data.type.enumValues.map(({ name }) => name)].filter(
      (name) => name !== 'CONCURRENT_UPDATE',
    );
    for (const { name } of mutations.data.type.fields) expected.push(name);
    expect(expected.filter((name) => !counts.has(name))).toEqual([]);
    expect(counts.get('OK')! / all).toBeGreaterThan(0.5);
  },
);
