import { rootRow, type Block, type ProviderRef } from '../../engine/model/snapshot.js';
import type { ProviderEntity } from '../../reads/entities.js';

/**
 * Adapts a provider of a snapshot to the ResourceProvider type. Its parent and root come from the
 * snapshot, so id, uuid, name, generation, parent.uuid and root.uuid cost no read.
 */
export class SnapshotProvider implements ProviderEntity {
  private readonly block: Block;
  private readonly row: number;

  constructor({ block, row }: ProviderRef) {
    this.block = block;
    this.row = row;
  }

  get id(): number {
    return this.block.ids[this.row];
  }

  get uuid(): string {
    return this.block.uuids[this.row];
  }

  get name(): string {
    return this.block.names[this.row];
  }

  get generation(): number {
    return this.block.generations[this.row];
  }

  get parentId(): number | null {
    return this.parent?.id ?? null;
  }

  get rootId(): number {
    return this.root.id;
  }

  get parent(): ProviderEntity | null {
    const row = this.block.parents[this.row];
    return row < 0 ? null : new SnapshotProvider({ block: this.block, row });
  }

  get root(): ProviderEntity {
    return new SnapshotProvider({ block: this.block, row: rootRow(this.block, this.row) });
  }
}
