import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Random } from '../oracle/random.js';
import { writeByApi } from './apiWrite.js';
import { KNOWN, randomWrite } from './randomWrite.js';
import { writeByReference } from './restWrite.js';
import { SEED, WRITES } from './settings.js';
import { sharedDatabase, type SharedDatabase } from './sharedDatabase.js';
import { stateOfApi, stateOfReference, type State } from './state.js';

let shared: SharedDatabase;
beforeAll(async () => {
  shared = await sharedDatabase();
}, 120_000);
afterAll(() => shared?.close());

/** The state that both programs show. */
async function commonState(): Promise<State> {
  const [ours, theirs] = await Promise.all([
    stateOfApi(shared.api, KNOWN),
    stateOfReference(shared.reference, KNOWN),
  ]);
  const { emptyConsumers, ...shown } = ours;
  expect(shown).toEqual(theirs);
  return { ...shown, emptyConsumers };
}

test(
  `after each of ${WRITES} random writes through either program both show the same state (seed ${SEED})`,
  async () => {
    const random = new Random(SEED);
    const accepted = new Map<string, number>();
    let state = await commonState();
    for (let turn = 1; turn <= WRITES; turn++) {
      const write = randomWrite(random, state);
      const isOurs = random.chance(50);
      const { isAccepted, said } = isOurs
        ? await writeByApi(shared.api, state, write)
        : await writeByReference(shared.reference, state, write);
      const by = isOurs ? 'this server' : 'the reference';
      const next = await commonState().catch((error: Error) => {
        throw new Error(`write ${turn}, ${JSON.stringify(write)} by ${by}: ${said}\n${error.message}`);
      });
      const outcome = `${write.kind} ${isAccepted ? 'accepted' : 'rejected'} by ${by}`;
      accepted.set(outcome, (accepted.get(outcome) ?? 0) + 1);
      if (!isAccepted) expect({ turn, write, by, said, state: next }).toMatchObject({ state });
      state = next;
    }
    process.stderr.write(
      `${[...accepted]
        .map(([what, count]) => `${what}: ${count}`)
        .sort()
        .join('\n')}\n`,
    );
    expect(shared.api.logged).toEqual([]);
  },
  WRITES * 2_000,
);
