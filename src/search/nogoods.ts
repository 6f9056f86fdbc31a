import { addToGroup } from '../model/collections.js';
import { type AnchorProvider, partsOf, type Anchor } from './anchor.js';
import type { Effort } from '../model/operation/waiting.js';
import { traitSetsMet } from './treeFilter.js';
import type { Plan } from './plan.js';
import { freeAt, inventoryAt } from '../fleet/snapshot.js';
import { AnchorCounters, CounterSets } from './counters.js';
import { idsOfRow } from './ordered/terms/values.js';

/** The maximum memory of all descents of an operation: 32 MiB. */
const MAX_BYTES = 2 ** 25;
/** The overhead of an entry of a set. */
const BYTES_PER_ENTRY = 64;

/**
 * Partial assignments at one anchor without a completion, up to symmetry.
 *
 * Two providers are interchangeable if they could serve the same variables, have the same amounts
 * of merged classes, the same effect on the score and meet the same required traits. With subtree
 * conditions, they must also be leaves of the same parent; with one provider per tree, in the same tree. A provider that may take a part of a
 * split amount is never interchangeable: its uuid decides the size of its part. Providers that share counters are
 * interchangeable only together, as a set with an equal one.
 */
export class Nogoods {
  private readonly states = new Set<string>();
  private bytes = 0;
  /** By provider: equal for interchangeable providers. */
  private readonly providerKeys: (string | undefined)[];
  /** By provider: the variables whose domain has it, in ascending order. Null before its first use. */
  private served: readonly number[][] | null = null;
  /** By variable: equal for variables that can swap providers. */
  private readonly variableKeys: readonly string[];
  /** Null: no provider consumes counters. */
  private readonly sets: CounterSets | null;

  constructor(
    private readonly plan: Plan,
    private readonly anchor: Anchor,
    private readonly effort: Effort,
  ) {
    this.providerKeys = anchor.providers.map(() => undefined);
    const counters = AnchorCounters.at(plan, anchor);
    this.sets = counters && new CounterSets(counters);
    const subtrees = plan.variables.map((): string[] => []);
    plan.sameSubtree.forEach(({ within, outside }, at) => {
      for (const variable of within) subtrees[variable].push(`${at}`);
      for (const variable of outside) subtrees[variable].push(`!${at}`);
    });
    const numbers = new Map<string, string>();
    this.variableKeys = subtrees.map((named, variable) => {
      const key = this.variableKey(variable, named);
      const number = numbers.get(key) ?? String(numbers.size);
      numbers.set(key, number);
      return number;
    });
  }

  /** Returns a text that is equal for symmetric problems after the first `depth` variables. */
  stateOf(variables: readonly number[], values: readonly number[], depth: number): string {
    this.effort.otherWork += depth >> 5;
    const byProvider = new Map<number, string[]>();
    for (let at = 0; at < depth; at++) {
      const key = this.variableKeys[variables[at]];
      const parts = partsOf(this.anchor, values[at]);
      if (parts === undefined) addToGroup(byProvider, values[at], key);
      else for (const { provider, amount } of parts) addToGroup(byProvider, provider, `${key}*${amount}`);
    }
    const assigned: string[] = [];
    const bySet = new Map<number, string[]>();
    for (const [provider, keys] of byProvider) {
      const text = keys.sort().join('+');
      const place = this.sets?.placeOf(provider);
      if (place === undefined) assigned.push(`${this.keyOf(provider)}<${text}`);
      else addToGroup(bySet, place[0], `${place[1]}<${text}`);
    }
    for (const [set, texts] of bySet)
      assigned.push(`${this.sets!.kindOf(set, (one) => this.keyOf(one))}[${texts.sort().join()}]`);
    return `${depth}|${assigned.sort().join('|')}`;
  }

  private keyOf(provider: number): string {
    return (this.providerKeys[provider] ??= this.providerKey(provider));
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

  release(): void {
    this.effort.nogoodBytes -= this.bytes;
    this.bytes = 0;
    this.states.clear();
  }

  private providerKey(provider: number): string {
    const { providers } = this.anchor;
    const { block, row } = providers[provider];
    const serves = (this.served ??= servedBy(this.anchor))[provider].join('.');
    const figures = this.plan.mergedClasses.map((resourceClass) => {
      const at = inventoryAt(block, row, resourceClass);
      if (at < 0) return '-';
      return `${freeAt(block, at)},${block.minUnits[at]},${block.maxUnits[at]},${block.stepSizes[at]}`;
    });
    const scored = this.plan.orderBy.map((order) => {
      if (order.kind === 'TRAITS' || order.kind === 'AGGREGATES') return idsOfRow(order, block, row).join();
      if (order.kind !== 'FREE_SHARE') return '';
      const at = inventoryAt(block, row, order.resourceClass);
      return at < 0 ? '-' : `${freeAt(block, at)}/${block.capacities[at]}`;
    });
    if (this.plan.orderBy.length > 0) scored.push(String(block.sharing[row]));
    const traits = this.plan.groups.map((group) =>
      group.isGranular ? '' : traitSetsMet(block, row, group.requiredTraits).join('.'),
    );
    const { sameSubtree, oneProviderPerTree } = this.plan;
    const tree = oneProviderPerTree ? String(providers[provider].treeIndex) : '';
    const position = sameSubtree.length > 0 ? positionOf(providers[provider]) : tree;
    const name = this.anchor.partitions?.mayUse(provider) ? provider : '';
    return [serves, figures.join(';'), scored.join(';'), traits.join(''), position, name].join(':');
  }

  private variableKey(variable: number, subtrees: readonly string[]): string {
    const { group, resources } = this.plan.variables[variable];
    const amounts = resources.map(({ resourceClass, amount }) => `${resourceClass}=${amount}`).sort();
    const alone = this.plan.isolation?.alone.has(variable) ? 'a' : '';
    return `${group.isGranular ? 'g' : 'u'}${alone}${amounts.join(',')}/${subtrees.join(',')}`;
  }
}

function servedBy({ domains, providers }: Anchor): number[][] {
  const served = providers.map((): number[] => []);
  domains.forEach((domain, variable) => {
    for (const value of domain) if (value < served.length) served[value].push(variable);
  });
  return served;
}

function positionOf({ treeIndex, block, row }: AnchorProvider): string {
  const isLeaf = block.ends[row] === row + 1;
  return isLeaf && block.parents[row] >= 0 ? `${treeIndex}^${block.parents[row]}` : `${treeIndex}.${row}`;
}
