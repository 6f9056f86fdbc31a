import { hasAnyTrait } from '../model/providerChecks.js';
import type { Plan } from '../model/plan.js';
import { partsOf, type Anchor, type AnchorProvider } from './anchor.js';
import { inventoryAt } from '../model/snapshot.js';

/** States kept per anchor; beyond that no more are learned. */
const MOST_STATES = 100_000;

/**
 * Remembers, for one anchor, partial choices that cannot be completed, in a form that does not tell interchangeable
 * providers or groups apart: where twelve equal devices are one too few, finding that out once is enough, not once for
 * each of their 479 million permutations.
 *
 * Two providers are interchangeable when they could serve the same variables, have the same figures of the classes
 * that can be merged or that order the candidates, meet the same required traits and, where subtrees matter, are leaves below
 * the same parent. Who may give a part of a split amount is like nobody else, as uuids have a say in how much it gives.
 */
export class Nogoods {
  private readonly dead = new Set<string>();
  private readonly kinds: (string | undefined)[];
  private readonly effects: readonly string[];

  constructor(
    private readonly plan: Plan,
    private readonly anchor: Anchor,
  ) {
    this.kinds = anchor.providers.map(() => undefined);
    this.effects = plan.variables.map((_, variable) => this.effectOf(variable));
  }

  /** What is left to solve after the given variables have been served by the given units, up to interchange. */
  stateOf(variables: readonly number[], chosen: readonly number[], depth: number): string {
    const byUnit = new Map<number, string[]>();
    const touch = (provider: number, effect: string): void => {
      const effects = byUnit.get(provider);
      if (effects === undefined) byUnit.set(provider, [effect]);
      else effects.push(effect);
    };
    for (let at = 0; at < depth; at++) {
      const effect = this.effects[variables[at]];
      const parts = partsOf(this.anchor, chosen[at]);
      if (parts === undefined) touch(chosen[at], effect);
      else for (const { provider: unit, amount } of parts) touch(unit, `${effect}*${amount}`);
    }
    const touched = [...byUnit].map(
      ([provider, effects]) => `${this.kindOf(provider)}<${effects.sort().join('+')}`,
    );
    return `${depth}|${touched.sort().join('|')}`;
  }

  has(state: string): boolean {
    return this.dead.has(state);
  }

  add(state: string): void {
    if (this.dead.size < MOST_STATES) this.dead.add(state);
  }

  private kindOf(provider: number): string {
    return (this.kinds[provider] ??= this.describe(provider));
  }

  private describe(provider: number): string {
    const { domains, providers } = this.anchor;
    const { block, row } = providers[provider];
    const serves = domains.map((domain) => (domain.includes(provider) ? '1' : '0')).join('');
    const figures = this.plan.mergedClasses.map((resourceClass) => {
      const at = inventoryAt(block, row, resourceClass);
      if (at < 0) return '-';
      const free = block.capacities[at] - block.used[at];
      return `${free},${block.minUnits[at]},${block.maxUnits[at]},${block.stepSizes[at]}`;
    });
    const shares = this.plan.orderBy.map(({ resourceClass }) => {
      const at = inventoryAt(block, row, resourceClass);
      return at < 0 ? '-' : `${block.capacities[at] - block.used[at]}/${block.capacities[at]}`;
    });
    const traits = this.plan.groups.flatMap((group) =>
      group.isGranular ? [] : group.requiredTraits.map((set) => (hasAnyTrait(block, row, set) ? '1' : '0')),
    );
    const position = this.plan.sameSubtree.length > 0 ? positionOf(providers[provider]) : '';
    const name = this.anchor.partitions?.mayUse(provider) ? provider : '';
    return [serves, figures.join(';'), shares.join(';'), traits.join(''), position, name].join(':');
  }

  /** Variables with the same effect leave the same problem behind when they swap units. */
  private effectOf(variable: number): string {
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
