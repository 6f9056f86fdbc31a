import { allocationsOf, withCounters, type CandidateAllocation } from '../../search/anchor.js';
import { isSharing } from '../../search/treeFilter.js';
import { blockNumber, inventoryAt, usedAt, type Snapshot } from '../../fleet/snapshot.js';
import { withAllocated } from '../../search/overlay/snapshotOverlay.js';
import type { Workload } from '../workload/workload.js';
import type { ConsumerAllocationsInput, ProviderAllocationInput } from '../../model/input.js';
import type { HeldConsumer } from '../../store/sql/consumers.js';
import {
  type ClaimCandidate,
  type ClaimConsumer,
  allocationsIn,
  withoutCounters,
  withoutHeld,
} from '../heldConsumers.js';
import { NoCandidates } from './noCandidates.js';
import { placeWorkload, type PlacementOptions, type WorkloadPlacement } from './workloadPlacement.js';

/** The consumers of a claim, in the order of the workload, and those of them that exist. */
export interface ClaimedConsumers {
  readonly consumers: readonly ClaimConsumer[];
  readonly held: ReadonlyMap<string, HeldConsumer>;
  /** Whether the consumers that exist stay at their allocations, if they can. */
  readonly stay: boolean;
}

/**
 * The former allocations under `keepOldAs` that count as free for a search. More of them allow more
 * placements, but several consumers may then use the amounts of each other.
 */
const RELEASED = ['ALL', 'SHARED', 'NONE'] as const;

/** How many seeds to try while the placements that a search finds do not fit beside the kept allocations. */
const SEEDS = { ALL: 16, SHARED: 4, NONE: 4 };
const MAX_SEED = 2 ** 31;

/**
 * Places a workload in the current fleet. Former allocations of its consumers count as free. Those
 * under `keepOldAs` count once together with the new ones on the same provider. The snapshot of the
 * placement is the fleet without the new allocations.
 *
 * @throws NoCandidates, TimedOut
 */
export async function placeBesideKept(
  current: Snapshot,
  stated: Workload,
  claimed: ClaimedConsumers,
  options: PlacementOptions,
): Promise<WorkloadPlacement> {
  const { consumers, held, stay } = claimed;
  const workload = stay ? withPresent(current, stated, claimed) : stated;
  const formerOf = (each: readonly ClaimConsumer[]): ProviderAllocationInput[] =>
    each.flatMap(({ consumer }) => held.get(consumer)?.allocations ?? []);
  const kept = formerOf(consumers.filter(({ keepOldAs }) => keepOldAs));
  const released = withoutHeld(current, formerOf(consumers.filter(({ keepOldAs }) => !keepOldAs)));
  if (kept.length === 0) return placeWorkload(released, workload, options);
  for (const level of RELEASED) {
    const free = kept.filter(({ resourceProvider }) => isFree(current, resourceProvider, level));
    const search = withoutHeld(released, free);
    for (let attempt = 0; attempt < SEEDS[level] && (attempt === 0 || !options.isOver()); attempt++) {
      const seed = (options.seed + attempt) % MAX_SEED;
      const found = await placeWorkload(search, workload, { ...options, seed }).catch((error: unknown) => {
        // Each level but the first allows fewer placements than the claim.
        const isProof = level === 'ALL' && attempt === 0;
        if (isProof || !(error instanceof NoCandidates)) throw error;
      });
      if (found === undefined) break;
      // A relation may name any consumer, so that consumers with relations cannot be exchanged.
      const placement = workload.relations === undefined ? nearFormer(claimed, found) : found;
      const beside = withAllocated(
        withoutHeld(released, kept),
        consumedIn(current, keptAllocations(claimed, placement).flat()),
      );
      if (!fits(current, beside, placement)) continue;
      const proven = level === 'ALL' ? placement : unproven(placement);
      return { ...proven, snapshot: beside, seed: options.seed };
    }
  }
  throw new NoCandidates({ snapshot: released, workload }, { kind: 'UNDECIDED' });
}

/** Returns allocations in a snapshot, with the counters that they consume in place of those among them. */
function consumedIn(
  snapshot: Snapshot,
  allocations: readonly ProviderAllocationInput[],
): CandidateAllocation[] {
  return withCounters(allocationsIn(snapshot, withoutCounters(snapshot, allocations)));
}

/** Adds the present allocations of the consumers that exist, except those that leave allocations behind. */
export function withPresent(
  current: Snapshot,
  workload: Workload,
  { consumers, held }: Omit<ClaimedConsumers, 'stay'>,
): Workload {
  const present = consumers.map(({ consumer, keepOldAs }) => {
    const allocations = keepOldAs ? [] : (held.get(consumer)?.allocations ?? []);
    return allocations.length === 0 ? null : allocationsIn(current, allocations);
  });
  return present.every((one) => one === null) ? workload : { ...workload, present };
}

/** Exchanges candidates between the consumers of each member, so that many use their former providers again. */
function nearFormer({ consumers, held }: ClaimedConsumers, placement: WorkloadPlacement): WorkloadPlacement {
  let position = 0;
  const members = placement.members.map((member) => {
    const former = member.candidates.map(() => held.get(consumers[position++].consumer)?.allocations ?? []);
    return { ...member, candidates: assigned(former, member.candidates) };
  });
  return { ...placement, members };
}

/** Returns the candidate of each consumer: those with most in common first, the others in their order. */
function assigned(
  former: readonly (readonly ProviderAllocationInput[])[],
  candidates: readonly ClaimCandidate[],
): ClaimCandidate[] {
  const matches = former
    .flatMap((before, consumer) =>
      before.length === 0
        ? []
        : candidates.map((candidate) => ({
            ...{ consumer, candidate },
            common: countCommon(before, candidate.allocations),
          })),
    )
    .filter(({ common }) => common > 0)
    .sort((a, b) => b.common - a.common);
  const left = new Set(candidates);
  const chosen = new Map<number, ClaimCandidate>();
  for (const { consumer, candidate } of matches)
    if (!chosen.has(consumer) && left.delete(candidate)) chosen.set(consumer, candidate);
  const others = left.values();
  return former.map((_, consumer) => chosen.get(consumer) ?? others.next().value!);
}

/** Returns the number of pairs of a provider and a class in both. */
function countCommon(
  before: readonly ProviderAllocationInput[],
  after: readonly ProviderAllocationInput[],
): number {
  const pairs = before.flatMap(({ resourceProvider, resources }) =>
    resources.map(({ resourceClass }) => amountIn(after, resourceProvider, resourceClass)),
  );
  return pairs.filter((amount) => amount > 0).length;
}

/** A search in which fewer allocations are free proves nothing about better placements. */
function unproven(placement: WorkloadPlacement): WorkloadPlacement {
  const members = placement.members.map((member) => ({
    ...member,
    rejected: member.rejected.map((each) => ({ ...each, isProven: false })),
  }));
  return { ...placement, isOptimal: false, members };
}

function isFree(snapshot: Snapshot, uuid: string, level: (typeof RELEASED)[number]): boolean {
  if (level !== 'SHARED') return level === 'ALL';
  const provider = snapshot.locate(uuid);
  return provider !== undefined && isSharing(provider);
}

/** Returns whether the new allocations keep the capacities, or do not raise a usage over capacity (decision D15). */
function fits(current: Snapshot, beside: Snapshot, { members }: WorkloadPlacement): boolean {
  const placed = members
    .flatMap(({ candidates }) => candidates)
    .flatMap((candidate) => allocationsOf(candidate.found.plan!, candidate));
  const { blocks } = withAllocated(beside, placed);
  return placed.every(({ provider: { block, row, treeIndex }, resources }) =>
    resources.every(({ resourceClass }) => {
      const at = inventoryAt(block, row, resourceClass);
      const number = blockNumber(treeIndex);
      const used = usedAt(blocks[number], at);
      return used <= block.capacities[at] || used <= usedAt(current.blocks[number], at);
    }),
  );
}

/** Returns, by consumer, the former allocations under `keepOldAs` that exceed its new ones. */
function keptAllocations(
  { consumers, held }: ClaimedConsumers,
  { members }: WorkloadPlacement,
): ProviderAllocationInput[][] {
  const placed = members.flatMap(({ candidates }) => candidates);
  return consumers.map(({ consumer, keepOldAs }, at) =>
    keepOldAs ? remainder(held.get(consumer)?.allocations ?? [], placed[at].allocations) : [],
  );
}

/** Returns `before` less `after`, by provider and class. Omits amounts that are used up. */
function remainder(
  before: readonly ProviderAllocationInput[],
  after: readonly ProviderAllocationInput[],
): ProviderAllocationInput[] {
  return before
    .map(({ resourceProvider, resources }) => {
      const left = resources.map(({ resourceClass, amount }) => ({
        resourceClass,
        amount: amount - amountIn(after, resourceProvider, resourceClass),
      }));
      return { resourceProvider, resources: left.filter(({ amount }) => amount > 0) };
    })
    .filter(({ resources }) => resources.length > 0);
}

function amountIn(
  allocations: readonly ProviderAllocationInput[],
  provider: string,
  resourceClass: string,
): number {
  const own = allocations.find(({ resourceProvider }) => resourceProvider === provider)?.resources;
  return own?.find((one) => one.resourceClass === resourceClass)?.amount ?? 0;
}

/** Returns the new consumers that take over what remains of allocations, with the former project and user. */
export function keptInputs(
  claimed: ClaimedConsumers,
  placement: WorkloadPlacement,
): ConsumerAllocationsInput[] {
  const kept = keptAllocations(claimed, placement);
  return claimed.consumers.flatMap(({ consumer, keepOldAs }, at) => {
    if (!keepOldAs || kept[at].length === 0) return [];
    const { projectId, userId } = claimed.held.get(consumer)!;
    return [{ ...keepOldAs, generation: null, projectId, userId, allocations: kept[at] }];
  });
}
