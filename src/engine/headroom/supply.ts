import { commonDivisor } from '../fill.js';
import type { Plan } from '../plan.js';
import type { Reach, Unit } from '../reach.js';
import { inventoryAt } from '../snapshot.js';

/** How many claims a provider could serve a variable in, by what it has free; no end of them when nothing is taken. */
export function claimsOf(unit: Unit, plan: Plan, variable: number): number {
  return plan.variables[variable].resources.reduce(
    (least, { resourceClass, amount }) => Math.min(least, Math.floor(freeOf(unit, resourceClass) / amount)),
    Infinity,
  );
}

export function isSharing({ block, row }: Unit): boolean {
  return block.sharing[row] === 1;
}

/**
 * So many claims the tree of a reach can take at the most: proven by what there is of each thing that every claim needs, as if it
 * needed nothing else. Everything that shares with the tree counts in full.
 */
export function mostClaims(plan: Plan, reach: Reach): number {
  const all = [...plan.variables.keys()];
  const bounds = plan.sameSubtree.map(({ within }) => mostBySubtree(plan, reach, within));
  return Math.min(
    mostOf(plan, reach, all, () => true),
    ...bounds,
  );
}

/** Every claim lies below one of the topmost providers that could be the top, so that each can be judged by itself. */
function mostBySubtree(plan: Plan, reach: Reach, within: readonly number[]): number {
  const able = [...new Set(within.flatMap((variable) => reach.domains[variable]))].map(
    (at) => reach.units[at],
  );
  const tops = able.filter((unit) => !able.some((other) => other !== unit && isBelow(unit, other)));
  return tops.reduce((sum, top) => {
    const inside = (unit: Unit): boolean => unit === top || isBelow(unit, top);
    return sum + mostOf(plan, reach, within, inside);
  }, 0);
}

function isBelow(unit: Unit, top: Unit): boolean {
  return unit.slot === top.slot && unit.row > top.row && unit.row < top.block.ends[top.row];
}

function mostOf(
  plan: Plan,
  reach: Reach,
  variables: readonly number[],
  counts: (unit: Unit) => boolean,
): number {
  let most = Infinity;
  for (const variable of variables) {
    most = Math.min(
      most,
      claimsWhole(plan, reach, variable, counts) + claimsSplit(plan, reach, variable, counts),
    );
  }
  for (const { amount, pool } of poolsOf(plan, reach, variables, counts)) {
    most = Math.min(most, Math.floor(pool / amount));
  }
  return mostApart(
    plan,
    reach,
    variables.filter((variable) => plan.isolation?.alone.has(variable)),
    counts,
    most,
  );
}

/** Claims in which one provider gives the whole amount. Where it can be split, those that may give parts are counted together. */
export function claimsWhole(
  plan: Plan,
  { domains, units }: Reach,
  variable: number,
  counts: (unit: Unit) => boolean,
): number {
  const { canSplit } = plan.variables[variable];
  return domains[variable]
    .filter((at) => at < units.length && counts(units[at]) && (!canSplit || isSharing(units[at])))
    .reduce((sum, at) => sum + claimsOf(units[at], plan, variable), 0);
}

/** Claims in which an amount is made up of parts, or comes from one of those that may give parts. */
export function claimsSplit(
  plan: Plan,
  { units, slot }: Reach,
  variable: number,
  counts: (unit: Unit) => boolean,
): number {
  const { canSplit, resources } = plan.variables[variable];
  if (!canSplit) return 0;
  const [{ resourceClass, amount }] = resources;
  const own = units.filter((unit) => unit.slot === slot && !isSharing(unit) && counts(unit));
  return Math.floor(own.reduce((sum, unit) => sum + freeOf(unit, resourceClass), 0) / amount);
}

interface Pool {
  /** What every claim takes. */
  readonly amount: number;
  /** What there is to take it from. */
  readonly pool: number;
}

/** Classes that several variables take from the same providers. */
function poolsOf(
  plan: Plan,
  { units, domains }: Reach,
  variables: readonly number[],
  counts: (unit: Unit) => boolean,
): Pool[] {
  return plan.mergedClasses.flatMap((resourceClass): Pool[] => {
    const takers = variables.filter((variable) => amountOf(plan, variable, resourceClass) > 0);
    if (takers.length < 2) return [];
    const amounts = takers.map((variable) => amountOf(plan, variable, resourceClass));
    const anySplit = takers.some((variable) => plan.variables[variable].canSplit);
    // Less than what divides all amounts is of no use to anybody.
    const portion = anySplit ? 1 : amounts.reduce(commonDivisor);
    const able = new Set(takers.flatMap((variable) => domains[variable]));
    const pool = units
      .filter((unit, at) => (anySplit || able.has(at)) && counts(unit))
      .reduce((sum, unit) => sum + Math.floor(freeOf(unit, resourceClass) / portion) * portion, 0);
    return [{ amount: amounts.reduce((sum, amount) => sum + amount), pool }];
  });
}

/** Groups that keep apart use a provider at most once in each claim. */
function mostApart(
  plan: Plan,
  { units, domains }: Reach,
  alone: readonly number[],
  counts: (unit: Unit) => boolean,
  most: number,
): number {
  if (alone.length < 2 || most === Infinity) return most;
  const uses = units.map((unit, at) => {
    const able = counts(unit) ? alone.filter((variable) => domains[variable].includes(at)) : [];
    return mostUses(plan, unit, able);
  });
  const suffices = (claims: number): boolean =>
    uses.reduce((sum, use) => sum + Math.min(use, claims), 0) >= alone.length * claims;
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (suffices(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** How often a provider could serve any of the variables, each time for another claim: those of one class take it from each other. */
function mostUses(plan: Plan, unit: Unit, variables: readonly number[]): number {
  const leastByClass = new Map<number, number>();
  for (const variable of variables) {
    const { resources } = plan.variables[variable];
    if (resources.length === 0) return Infinity;
    const [{ resourceClass, amount }] = resources;
    leastByClass.set(resourceClass, Math.min(amount, leastByClass.get(resourceClass) ?? Infinity));
  }
  return [...leastByClass].reduce(
    (sum, [resourceClass, least]) => sum + Math.floor(freeOf(unit, resourceClass) / least),
    0,
  );
}

function amountOf(plan: Plan, variable: number, resourceClass: number): number {
  const { resources } = plan.variables[variable];
  return resources.find((resource) => resource.resourceClass === resourceClass)?.amount ?? 0;
}

function freeOf({ block, row }: Unit, resourceClass: number): number {
  const at = inventoryAt(block, row, resourceClass);
  return at < 0 ? 0 : Math.max(0, block.capacities[at] - block.used[at]);
}
