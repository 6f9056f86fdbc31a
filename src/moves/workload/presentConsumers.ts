import { isCounter } from '../../fleet/consumption.js';
import { inventoryAt } from '../../fleet/snapshot.js';
import type { CandidateAllocation } from '../../search/anchor.js';
import type { Plan, PlannedAmount } from '../../search/plan.js';
import { isSharing } from '../../search/treeFilter.js';
import { addToGroup, once, sumsByClass } from '../../model/collections.js';

/** The allocations of a consumer before the workload. */
interface Present {
  readonly key: string;
  /** The sums by class, without counters. */
  readonly sums: string;
  /** The tree of its non-sharing providers; null if all are sharing. */
  readonly tree: number | null;
  /** The ids of its providers. */
  readonly providers: ReadonlySet<number>;
}

/** The consumers that should stay at their allocations. */
export class PresentConsumers {
  readonly count: number;
  private readonly byConsumer: readonly (Present | null)[];
  /** By member: its consumers, the present ones first. */
  private readonly orders: readonly (readonly number[])[];
  /** By id of a provider: the members and the allocations of consumers there. */
  private readonly byProvider = new Map<number, string[]>();
  private readonly sumsOf = once(({ variables }: Plan) => textOf(variables.flatMap((one) => one.resources)));

  constructor(
    present: readonly (readonly CandidateAllocation[] | null)[],
    private readonly members: readonly number[],
  ) {
    this.byConsumer = present.map(
      (allocations) =>
        allocations && {
          key: keyOf(allocations),
          sums: textOf(allocations.flatMap(requestedAmounts)),
          tree: ownTree(allocations),
          providers: new Set(allocations.map(providerIdOf)),
        },
    );
    this.count = this.byConsumer.filter((one) => one !== null).length;
    const orders: number[][] = [];
    for (const [consumer, member] of members.entries()) (orders[member] ??= []).push(consumer);
    this.orders = orders.map((order) => order.sort((a, b) => this.rank(a) - this.rank(b)));
    present.forEach((allocations, consumer) => {
      for (const allocation of allocations ?? [])
        addToGroup(
          this.byProvider,
          providerIdOf(allocation),
          `${members[consumer]}:${this.byConsumer[consumer]!.key}`,
        );
    });
  }

  isPresent(consumer: number): boolean {
    return this.byConsumer.at(consumer) != null;
  }

  ofMember(member: number): readonly number[] {
    return this.count === 0 ? [] : this.orders[member].filter((consumer) => this.isPresent(consumer));
  }

  /** Returns the consumers of a member in the order of placing: the present ones first. */
  orderOf(member: number): readonly number[] {
    return this.orders[member];
  }

  /** Returns the tree of a present consumer; null if it has none. */
  treeOf(consumer: number): number | null {
    return this.byConsumer.at(consumer)?.tree ?? null;
  }

  /** Returns equal texts for present consumers with equal allocations; empty for others. */
  keyOf(consumer: number): string {
    return this.byConsumer.at(consumer)?.key ?? '';
  }

  /** Returns whether a present consumer has exactly these allocations. */
  hasAllocations(consumer: number, allocations: readonly CandidateAllocation[]): boolean {
    return this.isPresent(consumer) && keyOf(allocations) === this.keyOf(consumer);
  }

  /** Returns whether allocations use the providers of a present consumer again, or none but these. */
  usesProviders(consumer: number, allocations: readonly CandidateAllocation[]): boolean {
    const providers = this.byConsumer.at(consumer)?.providers ?? new Set();
    const common = allocations.filter((one) => providers.has(providerIdOf(one))).length;
    return common === Math.min(providers.size, allocations.length);
  }

  /** Returns whether a present consumer has other amounts than a request. */
  isResize(consumer: number, plan: Plan): boolean {
    const present = this.byConsumer.at(consumer) ?? null;
    return present !== null && this.sumsOf(plan) !== present.sums;
  }

  /**
   * Returns whether these allocations of a request move a present consumer: a resize that leaves the tree, else any
   * other allocations.
   */
  isMoved(consumer: number, plan: Plan, allocations: readonly CandidateAllocation[]): boolean {
    if (!this.isPresent(consumer)) return false;
    const tree = this.treeOf(consumer);
    if (tree !== null && this.isResize(consumer, plan)) return ownTree(allocations) !== tree;
    return !this.hasAllocations(consumer, allocations);
  }

  /** Returns equal texts for providers with equal present consumers. */
  textAt(provider: number): string {
    return this.byProvider.get(provider)?.sort().join('&') ?? '';
  }

  private rank(consumer: number): number {
    return this.isPresent(consumer) ? consumer - this.members.length : consumer;
  }
}

function providerIdOf({ provider: { block, row } }: CandidateAllocation): number {
  return block.ids[row];
}

function ownTree(allocations: readonly CandidateAllocation[]): number | null {
  return allocations.find(({ provider }) => !isSharing(provider))?.provider.treeIndex ?? null;
}

function keyOf(allocations: readonly CandidateAllocation[]): string {
  const texts = allocations.map((one) => `${providerIdOf(one)}:${textOf(one.resources)}`);
  return texts.sort().join(' ');
}

/** Returns equal texts for equal sums by class. */
function textOf(amounts: readonly PlannedAmount[]): string {
  const texts = sumsByClass(amounts).map(({ resourceClass, amount }) => `${resourceClass}=${amount}`);
  return texts.sort().join('+');
}

/** Returns the amounts of an allocation that a request states: counters follow from them. */
function requestedAmounts({ provider: { block, row }, resources }: CandidateAllocation): PlannedAmount[] {
  return resources.filter(({ resourceClass }) => {
    const at = inventoryAt(block, row, resourceClass);
    return at < 0 || !isCounter(block, at);
  });
}
