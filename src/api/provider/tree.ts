import { addToGroup } from '../../model/collections.js';
import { byName } from '../../model/listing/orderedPage.js';
import type { ProviderEntity } from '../entities.js';

/** The structure of one tree. Tolerates rows that another program left inconsistent. */
export class ProviderTree {
  private readonly byId = new Map<number, ProviderEntity>();
  private readonly byParent = new Map<number, ProviderEntity[]>();

  /** @param signal after it aborts, the methods that traverse the tree throw its reason */
  constructor(
    readonly providers: readonly ProviderEntity[],
    private readonly signal: AbortSignal,
  ) {
    for (const provider of [...providers].sort(byName)) {
      this.byId.set(provider.id, provider);
      if (provider.parentId === null) continue;
      addToGroup(this.byParent, provider.parentId, provider);
    }
  }

  parent(provider: ProviderEntity): ProviderEntity | null {
    return provider.parentId === null ? null : (this.byId.get(provider.parentId) ?? null);
  }

  /** Returns the children, sorted by name. */
  children(provider: ProviderEntity): readonly ProviderEntity[] {
    this.signal.throwIfAborted();
    return this.byParent.get(provider.id) ?? [];
  }

  /** Returns the ancestors: parent first, root last. */
  ancestors(provider: ProviderEntity): readonly ProviderEntity[] {
    this.signal.throwIfAborted();
    const visited = new Map([[provider.id, provider]]);
    for (let above = this.parent(provider); above && !visited.has(above.id); above = this.parent(above)) {
      visited.set(above.id, above);
    }
    return [...visited.values()].slice(1);
  }

  /** Returns the descendants depth first, siblings by name. Depth 1 returns only the children. */
  descendants(provider: ProviderEntity, maxDepth: number): readonly ProviderEntity[] {
    this.signal.throwIfAborted();
    const visited = new Map<number, ProviderEntity>();
    const todo = [provider];
    const depths = [0];
    for (let here = todo.pop(); here; here = todo.pop()) {
      const depth = depths.pop()!;
      if (visited.has(here.id)) continue;
      visited.set(here.id, here);
      if (depth === maxDepth) continue;
      const children = this.byParent.get(here.id) ?? [];
      for (let at = children.length - 1; at >= 0; at--) {
        todo.push(children[at]);
        depths.push(depth + 1);
      }
    }
    return [...visited.values()].slice(1);
  }
}
