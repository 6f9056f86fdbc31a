import type { GraphQLResolveInfo } from 'graphql';
import type { Placed, SortPlace } from '../../model/listing/orderedPage.js';
import type { CandidateAllocation } from '../../search/anchor.js';
import {
  NOT_RECORDED,
  ProviderView,
  rootRow,
  type ProviderRef,
  type Snapshot,
} from '../../fleet/snapshot.js';
import type { ProviderEntity } from '../entities.js';
import type { Context } from '../context.js';
import { ResourceProvider } from '../refs.js';
import { selectedFields } from '../selection.js';

/**
 * Adapts a provider of a snapshot to the ResourceProvider type. Its parent and root come from the
 * snapshot, so id, uuid, name, generation, parent.uuid and root.uuid cost no read.
 */
export class SnapshotProvider extends ProviderView implements ProviderEntity {
  get parentId(): number | null {
    return this.parent?.id ?? null;
  }

  get rootId(): number {
    return this.root.id;
  }

  get parent(): ProviderEntity | null {
    const { block, row } = this.ref;
    const parent = block.parents[row];
    return parent < 0 ? null : new SnapshotProvider({ block, row: parent });
  }

  get root(): ProviderEntity {
    const { block, row } = this.ref;
    return new SnapshotProvider({ block, row: rootRow(block, row) });
  }
}

/** A provider in a list from a snapshot. Its amounts come from the same snapshot as the list. */
export class ListedProvider extends SnapshotProvider {
  readonly provider: ProviderRef;
  readonly place: SortPlace;

  constructor(
    readonly snapshot: Snapshot,
    { item, place }: Placed<ProviderRef>,
  ) {
    super(item);
    this.provider = item;
    this.place = place;
  }

  get createdAt(): Date | null {
    return dateOf(this.provider.block.createdAt[this.provider.row]);
  }

  get updatedAt(): Date | null {
    return dateOf(this.provider.block.updatedAt[this.provider.row]);
  }
}

function dateOf(seconds: number): Date | null {
  return seconds === NOT_RECORDED ? null : new Date(1_000 * seconds);
}

/** A provider of a candidate that has been claimed. The snapshot shows its state before the claim. */
class ClaimedProvider extends SnapshotProvider {}

/** Adapts a provider of a candidate. */
export function candidateProvider(provider: ProviderRef, isClaimed: boolean): SnapshotProvider {
  return isClaimed ? new ClaimedProvider(provider) : new SnapshotProvider(provider);
}

/** The fields of a provider that never change. */
const IDS: ReadonlySet<string> = new Set(['__typename', 'id', 'uuid']);

/** Reads a provider of a claimed candidate after the claim, unless the document selects only its ids. */
export function afterClaim(
  provider: ProviderEntity,
  { loaders }: Context,
  info: GraphQLResolveInfo,
): ProviderEntity | Promise<ProviderEntity> {
  if (!(provider instanceof ClaimedProvider)) return provider;
  const fields = selectedFields(info, ResourceProvider.name, info.fieldNodes);
  if (fields.every(({ name }) => IDS.has(name))) return provider;
  return loaders.providers.byUuid(provider.uuid).then((found) => found ?? provider);
}

/** Converts the allocations of a candidate to sources of the ProviderAllocation type. */
export function partsOf(
  allocations: readonly CandidateAllocation[],
  classes: Snapshot['classes'],
  isClaimed = false,
) {
  return allocations.map(({ provider, resources }) => ({
    resourceProvider: candidateProvider(provider, isClaimed),
    resources: resources.map(({ resourceClass, amount }) => ({
      resourceClass: classes.nameOf(resourceClass),
      amount,
    })),
  }));
}
