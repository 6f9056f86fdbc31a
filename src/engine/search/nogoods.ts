import type { AnchorProvider } from '../model/candidate.js';
import type { Effort } from '../model/effort.js';
import { hasAnyTrait } from '../model/providerChecks.js';
import type { Plan } from '../model/plan.js';
import { freeAt, inventoryAt } from '../model/snapshot.js';
import { partsOf, type Anchor } from './anchor.js';

/** All descents of an operation together record no more than this: 32 MiB. */
const MAX_BYTES = 2 ** 25;
/** What a set takes for an entry beside the characters of the string. */
const BYTES_PER_ENTRY = 64;

/**
 * Partial assignments at one anchor that cannot be completed, up to symmetry: interchangeable providers and
 * groups are not told apart. Where twelve equal devices are one too few, finding that out once is enough, not
 * once for each of their 479 million permutations.
 *
 * Two providers are interchangeable when they could serve the same variables, have the same figures of the
 * classes that can be merged or that order the candidates, meet the same required traits and, where subtrees
 * matter, are leaves below the same parent. A provider that may contribute to a partition is interchangeable
 * with none: its uuid decides how much it gives.
 */
export class Nogoods {
  private readonly states = new Set<string>();
  private bytes = 0;
  /** By provider: equal for interchangeable ones. */
  private readonly providerKeys: (string | undefined)[];
  /** By variable: equal for those that leave the same problem behind when they swap providers. */
  private readonly variableKeys: readonly string[];

  constructor(
    private readonly plan: Plan,
    private readonly anchor: Anchor,
    private readonly effort: Effort,
  ) {
    this.providerKeys = anchor.providers.map(() => undefined);
    this.variableKeys = plan.variables.map((_, variable) => this.variableKey(variable));
  }

  /** The problem that is left when the first so many variables have these values, up to symmetry. */
  stateOf(variables: readonly number[], values: readonly number[], depth: number): string {
    const byProvider = new Map<number, string[]>();
    const add = (provider: number, key: string): void => {
      const keys = byProvider.get(provider);
      if (keys === undefined) byProvider.set(provider, [key]);
      else keys.push(key);
    };
    for (let at = 0; at < depth; at++) {
      const key = this.variableKeys[variables[at]];
      const parts = partsOf(this.anchor, values[at]);
      if (parts === undefined) add(values[at], key);
      else for (const { provider, amount } of parts) add(provider, `${key}*${amount}`);
    }
    const assigned = [...byProvider].map(
      ([provider, keys]) => `${this.keyOf(provider)}<${keys.sort().join('+')}`,
    );
    return `${depth}|${assigned.sort().join('|')}`;
  }

  has(state: string): boolean {
    return this.states.has(state);
  }

  add(state: string): void {
    const bytes = state.length + BYTES_PER_ENTRY;
    if (this.effort.nogoodBytes + bytes > MAX_BYTES) return;
    this.states.add(state);
    this.bytes += bytes;
    this.effort.nogoodBytes += bytes;
  }

  /** Forgets all nogoods. */
  release(): void {
    this.effort.nogoodBytes -= this.bytes;
    this.bytes = 0;
    this.states.clear();
  }

  private keyOf(provider: number): string {
    return (this.providerKeys[provider] ??= this.providerKey(provider));
  }

  private providerKey(provider: number): string {
    const { domains, providers } = this.anchor;
    const { block, row } = providers[provider];
    const serves = domains.map((domain) => (domain.includes(provider) ? '1' : '0')).join('');
    const figures = this.plan.mergedClasses.map((resourceClass) => {
      const at = inventoryAt(block, row, resourceClass);
      if (at < 0) return '-';
      return `${freeAt(block, at)},${block.minUnits[at]},${block.maxUnits[at]},${block.stepSizes[at]}`;
    });
    const fractions = this.plan.orderBy.map(({ resourceClass }) => {
      const at = inventoryAt(block, row, resourceClass);
      return at < 0 ? '-' : `${freeAt(block, at)}/${block.capacities[at]}`;
    });
    const traits = this.plan.groups.flatMap((group) =>
      group.isGranular ? [] : group.requiredTraits.map((set) => (hasAnyTrait(block, row, set) ? '1' : '0')),
    );
    const position = this.plan.sameSubtree.length > 0 ? positionOf(providers[provider]) : '';
    const name = this.anchor.partitions?.mayUse(provider) ? provider : '';
    return [serves, figures.join(';'), fractions.join(';'), traits.join(''), position, name].join(':');
  }

  private variableKey(variable: number): string {
    const { group, resources } = this.plan.variables[variable];
    const amounts = resources.map(({ resourceClass, amount }) => `${resourceClass}=${amount}`).sort();
    const subtrees = this.plan.sameSubtree.flatMap(({ within, outside }, at) => {
      if (within.includes(variable)) return [`${at}`];
      return outside.includes(variable) ? [`!${at}`] : [];
    });
    const alone = this.plan.isolation?.alone.has(variable) ? 'a' : '';
    return `${group.isGranular ? 'g' : 'u'}${alone}${amounts.join(',')}/${subtrees.join(',')}`;
  }
}

function positionOf({ treeIndex, block, row }: AnchorProvider): string {
  const isLeaf = block.ends[row] === row + 1;
  return isLeaf && block.parents[row] >= 0 ? `${treeIndex}^${block.parents[row]}` : `${treeIndex}.${row}`;
}
