import type { Plan } from '../../plan.js';
import type { PlannedPreference } from '../plannedOrder.js';
import { isSharing } from '../../treeFilter.js';
import { hasBit, rootRow, treesWithAny, type Block, type ProviderRef } from '../../../fleet/snapshot.js';
import { partsOf, type Anchor } from '../../anchor.js';
import { idsOfRow, sumOfWeights } from './values.js';
import { needsOf, servicesAt, servicesIn, type Service } from './services.js';
import type { Term, TermBound } from './term.js';

/**
 * The sum of the weights of the listed traits or aggregates of a candidate's non-sharing providers
 * and of their root.
 */
export function preference(plan: Plan, order: PlannedPreference, shareable: readonly boolean[]): Term {
  const needs = needsOf(plan, shareable);
  const column = order.kind === 'TRAITS' ? 'traits' : 'aggregates';
  const treesOf = new WeakMap<Block, Uint32Array>();
  /** Returns the trees of a block with a preferred id, as bits. */
  const preferredIn = (block: Block): Uint32Array => {
    let trees = treesOf.get(block);
    if (trees === undefined) treesOf.set(block, (trees = treesWithAny(block.index[column], order.ids)));
    return trees;
  };
  return {
    variables: needs.flatMap(({ variables }) => variables),
    key: JSON.stringify([order.kind, order.ids, order.weights, needs]),
    boundBySharing: null,
    boundOfTree({ block, start, end }) {
      if (start === end || !hasBit(preferredIn(block), block.trees[start])) return 0;
      const services = servicesIn({ block, start, end }, needs);
      if (services === null) return -Infinity;
      const root = idsOfRow(order, block, start);
      return weightBound(order, services, root, (row) => ownIds(order, { block, row })).best();
    },
    preferences: ({ providers }) =>
      providers.map((provider) => sumOfWeights(order, ownIds(order, provider) ?? [])),
    boundAt(anchor) {
      const { providers } = anchor;
      const own = providers.find((provider) => !isSharing(provider));
      const root = own ? idsOfRow(order, own.block, rootRow(own.block, own.row)) : [];
      const idsOf = (provider: number): number[] | null => ownIds(order, providers[provider]);
      return weightBound(order, servicesAt(plan, anchor), root, idsOf, anchor);
    },
  };
}

/** Returns null for a sharing provider. */
function ownIds(order: PlannedPreference, provider: ProviderRef): number[] | null {
  return isSharing(provider) ? null : idsOfRow(order, provider.block, provider.row);
}

/** With more names, a bound counts only those of its providers. */
const FEW_NAMES = 16;

/** @param idsOf the positions of the preferred ids of a provider; null for a sharing provider */
function weightBound(
  order: PlannedPreference,
  services: readonly Service[],
  root: readonly number[],
  idsOf: (provider: number) => readonly number[] | null,
  anchor: Anchor | null = null,
): WeightBound {
  if (order.ids.length <= FEW_NAMES) return new WeightBound(order, services, root, idsOf, anchor);
  const positions = new Map<number, number>();
  const weights: number[] = [];
  const positionOf = (id: number): number => {
    let position = positions.get(id);
    if (position === undefined) {
      positions.set(id, (position = weights.length));
      weights.push(order.weights[id]);
    }
    return position;
  };
  const ids = new Map<number, readonly number[] | null>();
  for (const { domain } of services)
    for (const provider of domain)
      if (!ids.has(provider)) ids.set(provider, idsOf(provider)?.map(positionOf) ?? null);
  const ofRoot = root.map(positionOf);
  return new WeightBound({ weights }, services, ofRoot, (provider) => ids.get(provider) ?? null, anchor);
}

/** The contribution of the domain of an open service to the bound. */
interface Contribution {
  /** The ids that at least one of its providers has, and the ids that all of them have. */
  readonly some: readonly number[];
  readonly all: readonly number[];
  /** The largest sum of positive weights that it can add. */
  readonly most: number;
  /** Whether an own provider of the tree serves it in every candidate. */
  readonly isOwn: boolean;
}

/**
 * Bounds the sum of the weights. The sum counts the ids of the root, the ids in use, and the ids
 * that an open variable could add (positive weights) or cannot avoid (negative weights).
 */
class WeightBound implements TermBound {
  private readonly contributions = new Map<number, Contribution>();
  /** By provider: its ids that the root does not have; null for sharing providers. */
  private readonly ids = new Map<number, readonly number[] | null>();
  private readonly uses = new Map<number, number>();
  /** By id: how many providers in use have it, and how many open services may or must add it. */
  private readonly used: Uint16Array;
  private readonly some: Uint16Array;
  private readonly all: Uint16Array;
  private readonly rootSum: number;
  private assigned = 0;
  private ownUses = 0;
  private openOwn = 0;
  private openMost = 0;
  /** The exact best score if one variable decides it. */
  private readonly exact: number | null;

  constructor(
    private readonly order: Pick<PlannedPreference, 'weights'>,
    services: readonly Service[],
    root: readonly number[],
    idsOf: (provider: number) => readonly number[] | null,
    private readonly anchor: Anchor | null = null,
  ) {
    this.used = new Uint16Array(order.weights.length);
    this.some = new Uint16Array(order.weights.length);
    this.all = new Uint16Array(order.weights.length);
    this.rootSum = sumOfWeights(order, root);
    for (const provider of new Set(services.flatMap(({ domain }) => domain)))
      this.ids.set(provider, idsOf(provider)?.filter((id) => !root.includes(id)) ?? null);
    for (const service of services) {
      const contribution = this.contributionOf(service);
      for (const variable of service.variables) {
        this.contributions.set(variable, contribution);
        this.open(contribution, 1);
      }
    }
    this.exact = this.exactFor(services);
  }

  private contributionOf({ domain, canSplit, isShareable }: Service): Contribution {
    const { weights } = this.order;
    const lists = domain.map((provider) => this.ids.get(provider) ?? null);
    const own = lists.filter((ids) => ids !== null);
    const isOwn = !isShareable && own.length === lists.length;
    const positive = weights.map((weight) => Math.max(0, weight));
    const sums = own.map((ids) => sumOfWeights({ weights: positive }, ids));
    const some = [...new Set(own.flat())];
    return {
      some,
      all: isOwn ? some.filter((id) => own.every((ids) => ids.includes(id))) : [],
      most: sums.reduce((most, sum) => (canSplit ? most + sum : Math.max(most, sum)), 0),
      isOwn,
    };
  }

  private exactFor(services: readonly Service[]): number | null {
    const [{ variables, canSplit, domain, isShareable }] = services;
    if (services.length > 1 || variables.length > 1 || canSplit) return null;
    const sums = domain.map((provider) => {
      const ids = this.ids.get(provider);
      return ids ? this.rootSum + sumOfWeights(this.order, ids) : 0;
    });
    return sums.reduce((most, sum) => Math.max(most, sum), isShareable ? 0 : -Infinity);
  }

  private open({ some, all, most, isOwn }: Contribution, direction: 1 | -1): void {
    for (const id of some) this.some[id] += direction;
    for (const id of all) this.all[id] += direction;
    this.openMost += direction * most;
    if (isOwn) this.openOwn += direction;
  }

  move(variable: number, value: number, direction: 1 | -1): void {
    const contribution = this.contributions.get(variable);
    if (contribution === undefined) return;
    this.assigned += direction;
    this.open(contribution, direction === 1 ? -1 : 1);
    const parts = partsOf(this.anchor!, value);
    if (parts === undefined) this.use(value, direction);
    else for (const { provider } of parts) this.use(provider, direction);
  }

  private use(provider: number, direction: 1 | -1): void {
    const before = this.uses.get(provider) ?? 0;
    this.uses.set(provider, before + direction);
    const ids = this.ids.get(provider) ?? null;
    if (ids === null || (before === 0) === (before + direction === 0)) return;
    this.ownUses += direction;
    for (const id of ids) this.used[id] += direction;
  }

  best(): number {
    const { exact, used, some, all, ownUses, openOwn } = this;
    if (exact !== null && this.assigned === 0) return exact;
    let possible = 0;
    let inUse = 0;
    let certain = 0;
    this.order.weights.forEach((weight, id) => {
      if (weight > 0 && used[id] > 0) inUse += weight;
      if (weight > 0 && used[id] + some[id] > 0) possible += weight;
      if (weight < 0 && used[id] + all[id] > 0) certain += weight;
    });
    const bound = this.rootSum + Math.min(possible, inUse + this.openMost) + certain;
    // A candidate of sharing providers alone scores 0.
    return ownUses === 0 && openOwn === 0 ? Math.max(bound, 0) : bound;
  }
}
