import { IS_FULL } from '../support/length.js';
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fc } from '../support/fastCheck.js';
import { startApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { Random } from '../oracle/random.js';
import { withKeepAlive, type KeptApi } from './keepAlive.js';
import { Run } from './run.js';

const RUNS = Number(process.env.PLACEMENT_MODEL_RUNS ?? 300);
/** Random unless given; the name of the test reports it. */
const SEED = Number(process.env.PLACEMENT_MODEL_SEED ?? randomInt(2 ** 31));
const STEPS = 60;
/** The number of sequences that run at the same time. Each has its own database. */
const LANES = 2;
/** The maximum number of directed steps, and the random mutations from which each of them chooses one. */
const MAX_DIRECTED_STEPS = 300;
const DRAWS_A_STEP = 32;
/**
 * The maximum number of shorter sequences to try after a failure. A failure that does not repeat would otherwise be
 * reported as a timeout.
 */
const MAX_SHRINKS = 200;

interface Lane {
  readonly database: TestDatabase;
  readonly api: KeptApi;
}

/**
 * A step is a seed, from which the state makes a command. Null is no step; only shrinking produces
 * it.
 */
const steps = fc.limitShrink(
  fc.array(fc.option(fc.noBias(fc.integer()), { freq: 1_000_000_000 }), {
    minLength: STEPS,
    maxLength: STEPS,
  }),
  MAX_SHRINKS,
);

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

test(`any sequence of mutations, over GraphQL and REST, leads where the model says (PLACEMENT_MODEL_SEED=${SEED})`, async () => {
  await Promise.all(
    lanes.map((lane, n) =>
      fc.assert(
        fc.asyncProperty(steps, (seeds) => follow(new Run(lane.api, lane.database, ends), seeds)),
        { numRuns: Math.ceil(RUNS / LANES), seed: SEED + n },
      ),
    ),
  );
  for (const { api } of lanes) expect(api.logged).toEqual([]);
  const all = [...ends.values()].reduce((sum, times) => sum + times, 0);
  const accepted = [...ends].reduce((sum, [end, times]) => sum + (end.endsWith(' OK') ? times : 0), 0);
  expect(accepted / all).toBeGreaterThan(0.5);
  // the few sequences of a short run reach most of them
  const reached = OVER_REST.filter((field) => ends.has(`REST ${field} OK`));
  expect(reached.length).toBeGreaterThanOrEqual(IS_FULL ? OVER_REST.length : OVER_REST.length - 1);
}, 1_800_000);

test('a sequence that the model directs to new results reaches every mutation and every error code', async () => {
  const { api, database } = lanes[0];
  const run = new Run(api, database, ends);
  await run.begin();
  const random = new Random(1);
  const all = ['OK', ...(await namesOf(api, ERROR_CODES)), ...(await namesOf(api, MUTATIONS))].filter(
    (name) => !NOT_IN_MODEL.includes(name),
  );
  const missing = (): string[] => {
    const overGraphQL = [...ends.keys()].filter((end) => !end.startsWith('REST'));
    const reached = new Set(overGraphQL.flatMap((end) => end.split(' ')));
    return all.filter((part) => !reached.has(part));
  };
  // OLDER_SERVER requires a server of version 1.0, CONCURRENT_UPDATE a concurrent writer, COMMITTED a payload that cannot be read
  for (let step = 0; step < MAX_DIRECTED_STEPS && missing().length > 3; step++) {
    await run.stepTowardsNew(Array.from({ length: DRAWS_A_STEP }, () => random.between(0, 2 ** 31 - 1)));
  }
  await run.end();
  expect(missing()).toEqual(['OLDER_SERVER', 'CONCURRENT_UPDATE', 'COMMITTED']);
}, 120_000);

/** The mutations with an equal request of the REST API. Any run sends most of them. */
const OVER_REST = [
  'createResourceProvider',
  'deleteConsumer',
  'reshape',
  'setAllocations',
  'updateResourceProvider',
];

/** The model has no owners of parts of trees: test/ledger/ownedTrees has examples. */
const NOT_IN_MODEL = ['applyProviderTrees', 'OWNED_BY_ANOTHER'];

const ERROR_CODES = '{ type: __type(name: "ErrorCode") { names: enumValues { name } } }';
const MUTATIONS = '{ type: __type(name: "Mutation") { names: fields { name } } }';

async function namesOf(api: Api, query: string): Promise<string[]> {
  const { data } = await api.query<{ type: { names: { name: string }[] } }>(query);
  return data.type.names.map(({ name }) => name);
}
