import { concerned, drawConsumers } from './randomClaims.js';
import type { DesiredInput, Inputs } from './inputs.js';
import { predict } from './model.js';
import { PROVIDERS, type RandomInputs } from './randomInputs.js';
import { childrenOf, type ModelProvider } from './state.js';

/**
 * Draws a stored tree with a few changes, or a new one. Mostly it adds new allocations of the
 * affected consumers.
 */
export function drawTree(choice: RandomInputs): Inputs['applyProviderTree'] {
  const { random, state } = choice;
  const roots = [...state.providers.values()].filter(({ parent }) => parent === null);
  const root = roots.length > 0 && random.chance(85) ? restate(choice, random.pick(roots)) : fresh(choice);
  for (let edits = random.between(0, 3); edits > 0; edits--) edit(choice, root);
  if (random.chance(95)) dropRepeated(root);
  const input = { root, allocations: null, dryRun: random.chance(15) };
  if (random.chance(20)) return input;
  const empty = { ...state, consumers: new Map() };
  const outcome = predict(empty, { field: 'applyProviderTree', input: { ...input, dryRun: false } });
  const scratch = { ...structuredClone(outcome.state), consumers: structuredClone(state.consumers) };
  for (const uuid of scratch.providers.keys()) if (uuid.startsWith('new:')) scratch.providers.delete(uuid);
  return { ...input, allocations: drawConsumers(choice, concerned(choice, scratch), scratch) };
}

function restate(choice: RandomInputs, provider: ModelProvider): DesiredInput {
  const { random, state } = choice;
  const children = childrenOf(state, provider.uuid);
  return {
    ...offers(choice, 12),
    uuid: random.chance(65) ? provider.uuid : null,
    name: provider.name,
    generation: random.chance(25) ? choice.generation(provider.uuid) : null,
    children: random.chance(15) ? null : children.map((child) => restate(choice, child)),
  };
}

function fresh(choice: RandomInputs): DesiredInput {
  const { random } = choice;
  return {
    ...offers(choice, 50),
    uuid: random.chance(60) ? random.pick(PROVIDERS) : null,
    name: choice.name(),
    generation: random.chance(3) ? 0 : null,
    children: random.chance(50) ? null : [],
  };
}

function offers(choice: RandomInputs, percent: number) {
  const { random } = choice;
  return {
    inventories: random.chance(percent) ? choice.offers() : null,
    traits: random.chance(percent) ? choice.traits() : null,
    aggregates: random.chance(percent) ? choice.aggregates() : null,
  };
}

function edit(choice: RandomInputs, root: DesiredInput): void {
  const { random, state } = choice;
  const all = flat(root);
  const any = random.pick(all);
  const stating = all.flatMap(({ children }) => (children ? [children] : []));
  const siblings = stating.length > 0 ? random.pick(stating) : null;
  const kind = random.between(1, 6);
  if (kind === 1) siblings?.push(fresh(choice));
  else if (kind === 2) any.name = choice.name();
  else if (kind === 3) {
    const other = random.pick(all);
    [any.name, other.name] = [other.name, any.name];
  } else if (kind === 4) {
    const target = random.pick(all);
    if (any !== root && !flat(any).includes(target)) {
      take(root, any);
      target.children = [...(target.children ?? []), any];
    }
  } else if (kind === 5) take(root, any);
  else if (state.providers.size > 0) {
    siblings?.push(restate(choice, random.pick([...state.providers.values()])));
  }
}

/** Returns a desired provider and all below it, in the order of the input. */
export function flat(desired: DesiredInput): DesiredInput[] {
  return [desired, ...(desired.children ?? []).flatMap(flat)];
}

function take(root: DesiredInput, wanted: DesiredInput): void {
  for (const each of flat(root))
    each.children = each.children && each.children.filter((one) => one !== wanted);
}

/** Removes providers that would repeat a uuid or a name. */
function dropRepeated(root: DesiredInput): void {
  const seen = new Set<string>();
  for (const each of flat(root)) {
    const keys = [each.name, ...(each.uuid === null ? [] : [each.uuid])];
    if (keys.some((key) => seen.has(key))) take(root, each);
    else for (const key of keys) seen.add(key);
  }
}
