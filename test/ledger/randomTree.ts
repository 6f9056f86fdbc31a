import { randomUUID } from 'node:crypto';
import type { DesiredProvider } from '../../src/ledger/tree/treeInput.js';
import type { Random } from '../oracle/random.js';
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
export function randomTree(random: Random, stored: readonly ModelProvider[]): DesiredProvider {
  const roots = stored.filter(({ parent }) => parent === null);
  const root =
    roots.length > 0 && random.chance(85) ? restate(random, random.pick(roots), stored) : fresh(random);
  for (let edits = random.between(0, 5); edits > 0; edits--) edit(random, root, stored);
  return once(root, new Set())[0];
}

/** Providers stated by uuid or by name, with or without what is below them, mostly with nothing changed. */
function restate(random: Random, provider: ModelProvider, stored: readonly ModelProvider[]): Draft {
  const below = stored.filter(({ parent }) => parent === provider.uuid);
  return {
    ...offer(random, 15),
    uuid: random.chance(60) ? provider.uuid : null,
    name: provider.name,
    generation: random.chance(20) ? provider.generation - (random.chance(10) ? 1 : 0) : null,
    children: random.chance(15) ? null : below.map((child) => restate(random, child, stored)),
  };
}

function fresh(random: Random): Draft {
  const uuid = random.chance(50) ? randomUUID() : null;
  return { ...offer(random, 50), uuid, name: random.pick(NAMES), children: random.chance(50) ? null : [] };
}

function offer(random: Random, percent: number) {
  return {
    inventories: random.chance(percent) ? random.some(CLASSES, 70).map((name) => inventory(name, 10)) : null,
    traits: random.chance(percent) ? random.some(TRAITS, 50) : null,
    aggregates: random.chance(percent) ? random.some(AGGREGATES, 50) : null,
  };
}

function edit(random: Random, root: Draft, stored: readonly ModelProvider[]): void {
  const all = flat(root);
  const any = random.pick(all);
  const stating = all.filter(({ children }) => children !== null);
  const parent = stating.length > 0 ? random.pick(stating) : null;
  const kind = random.between(1, 6);
  if (kind === 1 && parent) parent.children?.push(fresh(random));
  else if (kind === 2) any.name = random.pick(NAMES);
  else if (kind === 3) {
    const other = random.pick(all);
    [any.name, other.name] = [other.name, any.name];
  } else if (kind === 4 && parent) {
    const moved = take(root, any);
    if (moved && !flat(moved).includes(parent)) parent.children?.push(moved);
  } else if (kind === 5) take(root, any);
  else if (parent && stored.length > 0) parent.children?.push(restate(random, random.pick(stored), stored));
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
