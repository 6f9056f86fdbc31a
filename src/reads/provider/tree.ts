import { byName } from '../../domain/codePointOrder.js';
import type { ProviderEntity } from '../entities.js';

/** The structure of one tree. Survives rows that another writer left inconsistent. */
export class ProviderTree {
  private readonly byId = new Map<number, ProviderEntity>();
  private readonly byParent = new Map<number, ProviderEntity[]>();

  constructor(readonly providers: readonly ProviderEntity[]) {
    for (const provider of [...providers].sort(byName)) {
      this.byId.set(provider.id, provider);
      if (provider.parentId === null) continue;
      const siblings = this.byParent.get(provider.parentId);
      if (siblings) siblings.push(provider);
      else this.byParent.set(provider.parentId, [provider]);
    }
  }

  get(id: number): ProviderEntity | undefined {
    return this.byId.get(id);
  }

  parent(provider: ProviderEntity): ProviderEntity | null {
    return provider.parentId === null ? null : (this.byId.get(provider.parentId) ?? null);
  }

  /** By name. */
  children(provider: ProviderEntity): readonly ProviderEntity[] {
    return this.byParent.get(provider.id) ?? [];
  }

  /** Parent first, root last. */
  ancestors(provider: ProviderEntity): readonly ProviderEntity[] {
    const visited = new Map([[provider.id, provider]]);
    for (let above = this.parent(provider); above && !visited.has(above.id); above = this.parent(above)) {
      visited.set(above.id, above);
    }
    return [...visited.values()].slice(1);
  }

  /** Depth first, siblings by name, without the provider itself; depth 1 gives the children alone. */
  descendants(provider: ProviderEntity, maxDepth: number): readonly ProviderEntity[] {
    const visited = new Map<number, ProviderEntity>();
    const todo = [{ provider, depth: 0 }];
    for (let next = todo.pop(); next; next = todo.pop()) {
      const { provider: here, depth } = next;
      if (visited.has(here.id)) continue;
      visited.set(here.id, here);
      if (depth === maxDepth) continue;
      todo.push(
        ...this.children(here)
          .map((child) => ({ provider: child, depth: depth + 1 }))
          .reverse(),
      );
    }
    return [...visited.values()].slice(1);
  }
}
