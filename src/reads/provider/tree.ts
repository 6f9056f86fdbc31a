import { byName } from '../../domain/codePointOrder.js';
import type { ProviderSource } from './providerSource.js';

/** The providers of one tree, as far as its structure goes. Survives rows that another writer left inconsistent. */
export class ProviderTree {
  private readonly byId = new Map<number, ProviderSource>();
  private readonly byParent = new Map<number, ProviderSource[]>();

  constructor(readonly providers: readonly ProviderSource[]) {
    for (const provider of [...providers].sort(byName)) {
      this.byId.set(provider.id, provider);
      if (provider.parentId === null) continue;
      const siblings = this.byParent.get(provider.parentId);
      if (siblings) siblings.push(provider);
      else this.byParent.set(provider.parentId, [provider]);
    }
  }

  get(id: number): ProviderSource | undefined {
    return this.byId.get(id);
  }

  parent(provider: ProviderSource): ProviderSource | null {
    return provider.parentId === null ? null : (this.byId.get(provider.parentId) ?? null);
  }

  /** By name. */
  children(provider: ProviderSource): readonly ProviderSource[] {
    return this.byParent.get(provider.id) ?? [];
  }

  /** Parent first, root last. */
  ancestors(provider: ProviderSource): readonly ProviderSource[] {
    const met = new Map([[provider.id, provider]]);
    for (let above = this.parent(provider); above && !met.has(above.id); above = this.parent(above)) {
      met.set(above.id, above);
    }
    return [...met.values()].slice(1);
  }

  /** Depth first, siblings by name, without the provider itself; depth 1 gives the children alone. */
  descendants(provider: ProviderSource, maxDepth: number): readonly ProviderSource[] {
    const met = new Map<number, ProviderSource>();
    const todo = [{ provider, depth: 0 }];
    for (let next = todo.pop(); next; next = todo.pop()) {
      const { provider: here, depth } = next;
      if (met.has(here.id)) continue;
      met.set(here.id, here);
      if (depth === maxDepth) continue;
      todo.push(
        ...this.children(here)
          .map((child) => ({ provider: child, depth: depth + 1 }))
          .reverse(),
      );
    }
    return [...met.values()].slice(1);
  }
}
