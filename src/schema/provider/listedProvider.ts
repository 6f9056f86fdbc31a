import type { Placed, SortPlace } from '../../domain/listing/orderedPage.js';
import { NOT_RECORDED, type ProviderRef, type Snapshot } from '../../engine/model/snapshot.js';
import { SnapshotProvider } from '../candidates/snapshotProvider.js';

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
