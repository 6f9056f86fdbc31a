import { randomUUID } from 'node:crypto';
import type { DesiredProvider } from '../../src/ledger/tree/treeInput.js';
import type { Dice } from '../oracle/dice.js';
import { uuidOf } from '../support/forest.js';
import { inventory } from './support.js';
import type { ModelProvider } from './treeOracle.js';

export const TRAITS = ['CUSTOM_GOLD', 'CUSTOM_SILVER'];
export const CLASSES = ['VCPU', 'VGPU'];
const AGGREGATES = ['a', 'b'].map((name) => uuidOf('aggregate', name));
const NAMES = Array.from({ length: 40 }, (_, n) => `p${n}`);

/** A provider of an input in the making. */
interface Draft extends Omit<DesiredProvider, 'children'> {
  uuid: string | null;
  name: string;
  children: Draft[] | null;
}

/**
 * A random input: a stored tree, or a new one, with a few things changed in it, so that most of what it states is there
 * already. Nothing is given twice.
 */
export function randomTree(dice: Dice, stored: readonly ModelProvider[]): DesiredProvider {
  const roots = stored.filter(({ parent }) => parent === null);
  const root = roots.length > 0 && dice.chance(85) ? restate(dice, dice.pick(roots), stored) : fresh(dice);
  for (let edits = dice.between(0, 5); edits > 0; edits--) edit(dice, root, stored);
  return once(root, new Set())[0];
}

/** Providers stated by uuid or by name, with or without what is below them, mostly with nothing changed. */
function restate(dice: Dice, provider: ModelProvider, stored: readonly ModelProvider[]): Draft {
  const below = stored.filter(({ parent }) => parent === provider.uuid);
  return {
    ...offer(dice, 15),
    uuid: dice.chance(60) ? provider.uuid : null,
    name: provider.name,
    generation: dice.chance(20) ? provider.generation - (dice.chance(10) ? 1 : 0) : null,
    children: dice.chance(15) ? null : below.map((child) => restate(dice, child, stored)),
  };
}

function fresh(dice: Dice): Draft {
  const uuid = dice.chance(50) ? randomUUID() : null;
  return { ...offer(dice, 50), uuid, name: dice.pick(NAMES), children: dice.chance(50) ? null : [] };
}

function offer(dice: Dice, percent: number) {
  return {
    inventories: dice.chance(percent) ? dice.some(CLASSES, 70).map((name) => inventory(name, 10)) : null,
    traits: dice.chance(percent) ? dice.some(TRAITS, 50) : null,
    aggregates: dice.chance(percent) ? dice.some(AGGREGATES, 50) : null,
  };
}

function edit(dice: Dice, root: Draft, stored: readonly ModelProvider[]): void {
  const all = flat(root);
  const any = dice.pick(all);
  const stating = all.filter(({ children }) => children !== null);
  const parent = stating.length > 0 ? dice.pick(stating) : null;
  const kind = dice.between(1, 6);
  if (kind === 1 && parent) parent.children?.push(fresh(dice));
  else if (kind === 2) any.name = dice.pick(NAMES);
  else if (kind === 3) {
    const other = dice.pick(all);
    [any.name, other.name] = [other.name, any.name];
  } else if (kind === 4 && parent) {
    const moved = take(root, any);
    if (moved && !flat(moved).includes(parent)) parent.children?.push(moved);
  } else if (kind === 5) take(root, any);
  else if (parent && stored.length > 0) parent.children?.push(restate(dice, dice.pick(stored), stored));
}

function flat(draft: Draft): Draft[] {
  return [draft, ...(draft.children ?? []).flatMap(flat)];
}

function take(root: Draft, wanted: Draft): Draft | null {
  const holder = flat(root).find(({ children }) => children?.includes(wanted));
  if (!holder?.children) return null;
  holder.children = holder.children.filter((child) => child !== wanted);
  return wanted;
}

function once(draft: Draft, seen: Set<string>): DesiredProvider[] {
  if (seen.has(draft.name) || (draft.uuid !== null && seen.has(draft.uuid))) return [];
  seen.add(draft.name);
  if (draft.uuid !== null) seen.add(draft.uuid);
  return [{ ...draft, children: draft.children && draft.children.flatMap((child) => once(child, seen)) }];
}
