import type { ResourceAmount } from '../../model/request.js';
import { mappingsOf, type CandidateAllocation } from '../../search/anchor.js';
import { sumsByClass } from '../../model/collections.js';
import { isSharing } from '../../search/treeFilter.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import { allocationReplacedBy } from '../consumerShape.js';
import type { Move } from './drainAttempt.js';

/** TO: from a host to sharing providers. FROM: from sharing providers to a host. */
export type SharingDirection = 'TO' | 'FROM';

/** Returns the amounts that a move takes to sharing providers, or from them, by class. */
export function movedStorage(snapshot: Snapshot, move: Move, direction: SharingDirection): ResourceAmount[] {
  if (move.found === null) return [];
  return move.source === 'DERIVED'
    ? amountsOfGroups(snapshot, move, direction)
    : netAmounts(snapshot, move, direction);
}

/** Compares the provider of each derived group with the provider of the allocation that it replaces. */
function amountsOfGroups(snapshot: Snapshot, { consumer, found }: Move, direction: SharingDirection) {
  const { request, plan } = found!.found;
  const providers = mappingsOf(plan!, found!);
  const moved = request.groups.flatMap((group, at) => {
    const [provider] = providers[at].providers;
    if (group.resources.length === 0) return [];
    const former = snapshot.locate(consumer.allocations[allocationReplacedBy(group)].resourceProvider);
    const wasShared = former !== undefined && isSharing(former);
    const isShared = isSharing(provider);
    return wasShared !== isShared && isShared === (direction === 'TO') ? group.resources : [];
  });
  return sumsByClass(moved);
}

/** A stated or remembered request does not tell which amount replaces which: compares the sums of each class. */
function netAmounts(snapshot: Snapshot, { from, to }: Move, direction: SharingDirection) {
  const growthOf = (isShared: boolean): Map<number, number> => growth(from, to, isShared);
  const [source, target] =
    direction === 'TO' ? [growthOf(false), growthOf(true)] : [growthOf(true), growthOf(false)];
  return Array.from(target, ([resourceClass, grown]) => ({
    resourceClass: snapshot.classes.nameOf(resourceClass),
    amount: Math.min(grown, -(source.get(resourceClass) ?? 0)),
  })).filter(({ amount }) => amount > 0);
}

function growth(
  before: readonly CandidateAllocation[],
  after: readonly CandidateAllocation[],
  isShared: boolean,
): Map<number, number> {
  const on = (allocations: readonly CandidateAllocation[], sign: 1 | -1) =>
    allocations
      .filter(({ provider }) => isSharing(provider) === isShared)
      .flatMap(({ resources }) => resources.map((one) => ({ ...one, amount: sign * one.amount })));
  const sums = sumsByClass([...on(after, 1), ...on(before, -1)]);
  return new Map(sums.map(({ resourceClass, amount }) => [resourceClass, amount]));
}
