import { expect, test } from '@jest/globals';
import { Random } from '../oracle/random.js';
import { writeByApi } from './apiWrite.js';
import { afterRejection } from './expectedWrite.js';
import { KNOWN, randomWrite } from './randomWrite.js';
import { writeByReference } from './restWrite.js';
import { SEED, WRITES } from './settings.js';
import { useSharedDatabase } from './sharedDatabase.js';
import { stateOfApi, stateOfReference, type State, type Unchanged } from './state.js';
import { differ } from './values.js';
import type { Write } from './write.js';

const shared = useSharedDatabase();

/** Reads the whole state of the reference after this number of writes, otherwise only changed or named objects. */
const WHOLE = 10;

/** Returns the state that both programs show. @param known the part that need not be read again */
async function commonState(known?: (ours: State) => Unchanged): Promise<State> {
  const ours = await stateOfApi(shared.api, KNOWN);
  const theirs = await stateOfReference(shared.reference, KNOWN, known?.(ours));
  expect(ours).toEqual({ ...theirs, emptyConsumers: ours.emptyConsumers });
  return ours;
}

function unchanged(write: Write, before: State, after: State): Unchanged {
  const named = JSON.stringify(write);
  const providers = Object.entries(before.providers).filter(
    ([uuid, provider]) => !named.includes(uuid) && !differ(provider, after.providers[uuid]),
  );
  const consumers = KNOWN.consumers.filter(
    (uuid) => !named.includes(uuid) && !differ(before.consumers[uuid], after.consumers[uuid]),
  );
  return {
    providers: Object.fromEntries(providers),
    consumers: Object.fromEntries(consumers.map((uuid) => [uuid, before.consumers[uuid] ?? null])),
  };
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
      const verdict = isOurs
        ? await writeByApi(shared.api, state, write)
        : await writeByReference(shared.reference, state, write);
      if (!isOurs) await shared.reload();
      const { isAccepted, said } = verdict;
      const by = isOurs ? 'this server' : 'the reference';
      const before = state;
      const known = (after: State): Unchanged => unchanged(write, before, after);
      const next = await commonState(turn % WHOLE === 0 ? undefined : known).catch((error: Error) => {
        throw new Error(`write ${turn}, ${JSON.stringify(write)} by ${by}: ${said}\n${error.message}`);
      });
      const outcome = `${write.kind} ${isAccepted ? 'accepted' : 'rejected'} by ${by}`;
      accepted.set(outcome, (accepted.get(outcome) ?? 0) + 1);
      if (!isAccepted) {
        const left = isOurs ? {} : afterRejection(state, write, verdict).emptyConsumers;
        const emptyConsumers = { ...left, ...state.emptyConsumers };
        expect({ turn, write, by, said, state: next }).toMatchObject({ state: { ...state, emptyConsumers } });
      }
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
