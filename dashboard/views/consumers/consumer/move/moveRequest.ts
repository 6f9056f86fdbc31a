import type { AllocationCandidatesInput } from '../../../../generated/consumers/operations';
import { sumByClass } from '../../amounts';
import type { Consumer } from '../consumer';

/** Where a consumer is to be moved to. */
export const TARGETS = [
  ['any', 'Anywhere'],
  ['same', 'Within the host that it is on'],
  ['other', 'Another host'],
] as const;

export type Target = (typeof TARGETS)[number][0];

export const readTarget = (text: string): Target => TARGETS.find(([name]) => name === text)?.[0] ?? 'any';

/** What a consumer shall have, by the names of classes: what it has now, but for what the address says, as `VCPU:8,MEMORY_MB:4096`. */
export function wantedAmounts(
  allocations: Consumer['allocations'],
  resize: string,
): ReadonlyMap<string, number> {
  const wanted = new Map(sumByClass(allocations));
  for (const part of resize.split(',')) {
    const [name, amount] = part.split(':');
    if (wanted.has(name) && /^\d{1,10}$/.test(amount)) wanted.set(name, Number(amount));
  }
  return wanted;
}

/** Only what is another amount than now. */
export function writeResize(
  allocations: Consumer['allocations'],
  wanted: ReadonlyMap<string, number>,
): string {
  const now = sumByClass(allocations);
  const changed = Array.from(wanted).filter(([name, amount]) => now.get(name) !== amount);
  return changed.map(([name, amount]) => `${name}:${amount}`).join(',');
}

/** The request by amounts. What comes from several providers now may be split again. */
export function moveRequest(
  { uuid, allocations }: Consumer,
  wanted: ReadonlyMap<string, number>,
  target: Target,
): AllocationCandidatesInput {
  const resources = Array.from(wanted, ([resourceClass, amount]) => ({ resourceClass, amount })).filter(
    ({ amount }) => amount > 0,
  );
  const isSplit = (name: string): boolean =>
    allocations.filter(({ resourceClass }) => resourceClass.name === name).length > 1;
  const canSplit = resources.map(({ resourceClass }) => resourceClass).filter(isSplit);
  return {
    groups: [{ resources, canSplit }],
    ...(target === 'same' && { nearConsumers: [uuid] }),
    ...(target === 'other' && { awayFromConsumers: [uuid] }),
  };
}
