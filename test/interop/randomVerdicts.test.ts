import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Random } from '../oracle/random.js';
import { writeByApi } from './apiWrite.js';
import { copyTables } from './copyTables.js';
import { Tally, type Rule } from './differences.js';
import {
  afterRejection,
  isUncheckedCreation,
  rulesOfRejection,
  withOurGenerations,
  withTheirGenerations,
} from './expectedWrite.js';
import { KNOWN, randomWrite } from './randomWrite.js';
import { writeByReference } from './restWrite.js';
import { SEED, WRITES } from './settings.js';
import { sharedDatabase, type SharedDatabase } from './sharedDatabase.js';
import { stateOfApi, type State } from './state.js';
import { differ } from './values.js';
import { compareReasons, type Verdict } from './verdicts.js';
import type { Write } from './write.js';

/** The databases of this server and of the reference. They are equal before each write. */
let ours: SharedDatabase;
let theirs: SharedDatabase;
beforeAll(async () => {
  [ours, theirs] = [await sharedDatabase(), await sharedDatabase()];
  await ours.reference.stop();
}, 120_000);
afterAll(async () => {
  await ours?.close();
  await theirs?.close();
});

const tally = new Tally();

interface Step {
  readonly write: Write;
  readonly before: State;
  readonly here: Verdict;
  readonly there: Verdict;
  /** The states after the write of each program. */
  readonly after: { readonly ours: State; readonly theirs: State };
}

async function step(before: State, write: Write): Promise<Step> {
  const [here, there] = await Promise.all([
    writeByApi(ours.api, before, write),
    writeByReference(theirs.reference, before, write),
  ]);
  await theirs.reload();
  const [after, afterTheirs] = await Promise.all([
    stateOfApi(ours.api, KNOWN),
    stateOfApi(theirs.api, KNOWN),
  ]);
  return { write, before, here, there, after: { ours: after, theirs: afterTheirs } };
}

/** Returns the rules by which the verdicts differ. Throws if the rules do not explain the verdicts. */
function compareVerdicts({ before, write, here, there }: Step): Rule[] {
  const rules = here.isAccepted ? rulesOfRejection(before, write) : [];
  if (isUncheckedCreation(before, write)) rules.push('rule 29');
  expect(here.isAccepted !== there.isAccepted).toBe(rules.length > 0);
  if (here.isAccepted)
    tally.count(`${write.kind} accepted${there.isAccepted ? ' by both' : ' by this server'}`);
  else if (!there.isAccepted) {
    const compared = compareReasons(write, here, there);
    expect(compared).not.toBe('another');
    tally.count(
      compared === 'same' ? `rejected by both, ${here.reason}` : 'rejected by both, for several reasons',
    );
  }
  return rules;
}

/** Returns the states that the programs must have after the write, from the content that this server has. */
function expectedStates({ before, write, here, there, after }: Step): Step['after'] {
  const content = here.isAccepted ? after.ours : withInventory(before, write);
  return {
    ours: here.isAccepted ? withOurGenerations(before, content) : before,
    theirs: there.isAccepted
      ? withTheirGenerations(before, content, write)
      : afterRejection(before, write, there),
  };
}

/** Adds the inventory that only the reference accepts (rule 29). */
function withInventory(before: State, write: Write): State {
  if (write.kind !== 'setInventory') return before;
  const { provider: uuid, resourceClass, inventory } = write;
  const provider = before.providers[uuid];
  if (provider === undefined) return before;
  const inventories = { ...provider.inventories, [resourceClass]: inventory };
  const usages = { ...provider.usages, [resourceClass]: 0 };
  return { ...before, providers: { ...before.providers, [uuid]: { ...provider, inventories, usages } } };
}

test(
  `each of ${WRITES} random writes is accepted by both programs or rejected by both, and leads to the same state (seed ${SEED})`,
  async () => {
    const random = new Random(SEED);
    let state = await stateOfApi(ours.api, KNOWN);
    await copyTables(ours.database, theirs.database);
    for (let turn = 1; turn <= WRITES; turn++) {
      const done = await step(state, randomWrite(random, state));
      try {
        const rules = compareVerdicts(done);
        expect(done.after).toEqual(expectedStates(done));
        const { ours: here, theirs: there } = done.after;
        if (differ(here.emptyConsumers, there.emptyConsumers)) rules.push('rule 88');
        if (done.there.isAccepted && done.here.isAccepted && differ(here, { ...there, emptyConsumers: {} }))
          rules.push('D5');
        tally.compared(rules);
      } catch (error) {
        const { write, before, here, there } = done;
        const said = `${here.said}\n${there.said}`;
        throw new Error(
          `write ${turn}: ${JSON.stringify({ write, before })}\n${said}\n${(error as Error).message}`,
          { cause: error },
        );
      }
      state = done.after.ours;
      if (differ(state, done.after.theirs)) await copyTables(ours.database, theirs.database);
    }
    tally.tell('writes sent to both programs');
    expect([...ours.api.logged, ...theirs.api.logged]).toEqual([]);
  },
  60_000 + WRITES * 1_000,
);
