import type { Tree } from '../model/snapshot.js';
import { granularViolation } from '../model/providerChecks.js';
import type { AnchorProvider } from '../model/candidate.js';
import type { ExplainedGroup } from './group.js';

/** Counts, for a granular group, which constraint each provider violates first. */
export class GranularGroup {
  constructor(private readonly group: ExplainedGroup) {}

  /** Counts the providers of a tree of which none takes part. */
  countExcluded({ start, end }: Tree): void {
    for (let row = start; row < end; row++) this.group.funnel.count('NOT_IN_TREES');
  }

  /** Counts a tree's own providers; returns whether any of them, or a sharing one, could serve the group. */
  count({ block, start, end, treeIndex }: Tree, sharingProviders: readonly AnchorProvider[]): boolean {
    const { planned, funnel, misses } = this.group;
    let isServed = false;
    for (let row = start; row < end; row++) {
      const violation = granularViolation({ block, row, treeIndex }, planned);
      funnel.count(violation);
      misses.addProvider(block, row, violation);
      isServed ||= violation === null;
    }
    return isServed || sharingProviders.some((provider) => granularViolation(provider, planned) === null);
  }
}
