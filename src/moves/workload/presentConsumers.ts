import type { CandidateAllocation } from '../../search/anchor.js';
import { isSharing } from '../../search/treeFilter.js';
import { addToGroup } from '../../model/collections.js';

/** The allocations of a consumer before the workload. */
interface Present {
  readonly key: string;
  /** The tree of its non-sharing providers; null if all are sharing. */
  readonly tree: number | null;
}

/** The consumers that should stay at their allocations. */
export class PresentConsumers {
  readonly count: number;
  private readonly byConsumer: readonly (Present | null)[];
  /** By member: its consumers, the present ones first. */
  private readonly orders: readonly (readonly number[])[];
  /** By id of a provider: the members and the allocations of consumers there. */
  private readonly byProvider = new Map<number, string[]>();

  constructor(
    present: readonly (readonly CandidateAllocation[] | null)[],
    private readonly members: readonly number[],
  ) {
    this.byConsumer = present.map((allocations) => {
      const own = allocations?.find(({ provider }) => !isSharing(provider));
      return allocations && { key: keyOf(allocations), tree: own?.provider.treeIndex ?? null };
    });
    this.count = this.byConsumer.filter((one) => one !== null).length;
    const orders: number[][] = [];
    for (const [consumer, member] of members.entries()) (orders[member] ??= []).push(consumer);
    this.orders = orders.map((order) => order.sort((a, b) => this.rank(a) - this.rank(b)));
    present.forEach((allocations, consumer) => {
      for (const { provider } of allocations ?? [])
        addToGroup(
          this.byProvider,
          provider.block.ids[provider.row],
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

  /** Returns whether these allocations move a present consumer. */
  isMoved(consumer: number, allocations: readonly CandidateAllocation[]): boolean {
    return this.isPresent(consumer) && keyOf(allocations) !== this.keyOf(consumer);
  }

  /** Returns equal texts for providers with equal present consumers. */
  textAt(provider: number): string {
    return this.byProvider.get(provider)?.sort().join('&') ?? '';
  }

  private rank(consumer: number): number {
    return this.isPresent(consumer) ? consumer - this.members.length : consumer;
  }
}

function keyOf(allocations: readonly CandidateAllocation[]): string {
  const texts = allocations.map(({ provider: { block, row }, resources }) => {
    const amounts = resources.map(({ resourceClass, amount }) => `${resourceClass}=${amount}`);
    return `${block.ids[row]}:${amounts.sort().join('+')}`;
  });
  return texts.sort().join(' ');
}
