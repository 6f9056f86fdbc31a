import type { AllocationCandidatesInput } from '../../../../generated/consumers/operations';
import { sumByClass } from '../../../../components/amounts';
import { requestByAmounts } from '../../../../components/requestByAmounts';
import { readAmounts } from '../../../../components/terms';
import type { Consumer } from '../consumer';

/** The possible destinations of a move. */
export const TARGETS = [
  ['any', 'Anywhere'],
  ['same', 'Within its host'],
  ['other', 'Another host'],
] as const;

export type Target = (typeof TARGETS)[number][0];

export const readTarget = (text: string): Target => TARGETS.find(([name]) => name === text)?.[0] ?? 'any';

/** The wanted amounts by class: the current ones, except for those of the address, such as `VCPU:8,MEMORY_MB:4096`. */
export function wantedAmounts(
  allocations: Consumer['allocations'],
  resize: string,
): ReadonlyMap<string, number> {
  const wanted = new Map(sumByClass(allocations));
  for (const { resourceClass, amount } of readAmounts(resize.split(',')))
    if (wanted.has(resourceClass)) wanted.set(resourceClass, amount);
  return wanted;
}

/** The amounts that differ from the current ones. */
export function writeResize(
  allocations: Consumer['allocations'],
  wanted: ReadonlyMap<string, number>,
): string {
  const now = sumByClass(allocations);
  const changed = Array.from(wanted).filter(([name, amount]) => now.get(name) !== amount);
  return changed.map(([name, amount]) => `${name}:${amount}`).join(',');
}

/** Returns the names of the consumer's hosts. Several: it has allocations that are left over. */
export function hostsOf({ allocations }: Consumer): readonly string[] {
  const own = allocations.filter(({ resourceProvider }) => resourceProvider?.isSharing === false);
  return [...new Set(own.map(({ resourceProvider }) => resourceProvider!.root.name))];
}

/**
 * Returns a request for the wanted amounts on the hosts that `target` allows: the remembered one if the amounts are its
 * amounts.
 */
export function moveRequest(
  { uuid, allocations, request }: Consumer,
  wanted: ReadonlyMap<string, number>,
  target: Target,
): AllocationCandidatesInput {
  const isRemembered = request?.isOutdated === false && writeResize(allocations, wanted) === '';
  const own: AllocationCandidatesInput = isRemembered
    ? (request.input as AllocationCandidatesInput)
    : requestByAmounts(allocations, wanted);
  return {
    ...own,
    ...(target === 'same' && { nearConsumers: [uuid] }),
    ...(target === 'other' && { awayFromConsumers: [...(own.awayFromConsumers ?? []), uuid] }),
  };
}
