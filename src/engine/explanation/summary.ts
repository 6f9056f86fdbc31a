import type { CandidatesRequest } from '../model/request.js';
import type { Combination } from './combination.js';
import type { Elimination } from './funnel.js';
import type { GroupExplanation } from './group.js';
import { capitalized, counted, groupNamed } from './phrases.js';

/** One sentence: what removed the last trees; or how many are left, and what removed most of the others. */
export function summaryOf(
  request: CandidatesRequest,
  groups: readonly GroupExplanation[],
  combination: readonly Elimination[],
  { treesServing, funnel }: Combination,
  satisfiableWhenEmpty: boolean,
): string {
  const { remaining } = combination[combination.length - 1];
  if (remaining > 0) {
    const fits = `${counted(remaining)} of ${counted(funnel.considered)} trees can take the request`;
    const scarcest = groups[treesServing.indexOf(Math.min(...treesServing))];
    const most = combination.reduce((one, other) => (other.eliminated > one.eliminated ? other : one));
    if (most.eliminated === 0) return `${fits}.`;
    return `${fits}; ${most.constraint === 'TREE_LACKS_GROUP' ? reasonOf(request, scarcest) : most.detail}.`;
  }
  const whenEmpty = satisfiableWhenEmpty
    ? 'it would fit if nothing were allocated'
    : 'it would not fit even if nothing were allocated';
  const unserved = groups.find((group) => group.remaining === 0);
  if (unserved !== undefined) return `${capitalized(reasonOf(request, unserved))}; ${whenEmpty}.`;
  const last = combination.find((entry) => entry.remaining === 0)!;
  return `Each group has somebody who could serve it, but ${last.detail}; ${whenEmpty}.`;
}

/** The last constraint of a group that removed anything, and the one before it. */
function reasonOf({ groups }: CandidatesRequest, { suffix, eliminations }: GroupExplanation): string {
  const last = eliminations.findLastIndex(({ eliminated }) => eliminated > 0);
  const details = eliminations.slice(Math.max(0, last - 1), last + 1).map(({ detail }) => detail);
  return `${groups.length > 1 ? `${groupNamed(suffix)}: ` : ''}${details.join('; ')}`;
}
