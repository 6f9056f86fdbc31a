import { failures, results, type Result } from './python.js';
import { startOurs, startReference, type PlacementServer } from './placements.js';

/** What the same tests give with this server and with OpenStack Placement. */
export interface Comparison {
  /** The tests that fail with this server, with the reason. */
  readonly failing: Map<string, string>;
  /** Those of them that pass with OpenStack Placement. */
  readonly worse: string[];
  readonly count: number;
}

/** Runs a script with both, one after the other, and prints both sums and each failure. */
export async function compared(
  script: string,
  optionsFor: (placement: PlacementServer) => readonly string[],
): Promise<Comparison> {
  const theirs = await ran(await startReference(), script, optionsFor);
  const ours = await ran(await startOurs(), script, optionsFor);
  const failing = failures(ours);
  const failingThere = failures(theirs);
  const worse = [...failing.keys()].filter((name) => !failingThere.has(name));
  return { failing, worse, count: ours.length };
}

/** Runs a script with one of both, and prints its sum and each failure. */
export async function ran(
  placement: PlacementServer,
  script: string,
  optionsFor: (placement: PlacementServer) => readonly string[],
): Promise<Result[]> {
  try {
    const found = await results(script, optionsFor(placement));
    console.log(summary(placement.name, found));
    return found;
  } finally {
    await placement.stop();
  }
}

function summary(name: string, found: readonly Result[]): string {
  const count = (outcome: string): number => found.filter((result) => result.outcome === outcome).length;
  const failed = [...failures(found)].map(([test, reason]) => `  ${test}: ${reason}`);
  return [`${name}: ${count('passed')} passed, ${count('failed')} failed`, ...failed].join('\n');
}
