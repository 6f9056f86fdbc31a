import type { Inputs, InventoriesEdit, SetEdit } from './inputs.js';
import { AGGREGATES, CLASSES, CONSUMERS, type RandomInputs } from './randomInputs.js';
import { COUNTER, partsOf, usersOf } from './state.js';

const EDITS = ['name', 'parent', 'aggregates', 'traits', 'inventories'] as const;

/** Draws mostly one edit, sometimes several or none. */
export function drawUpdate(choice: RandomInputs): Inputs['updateResourceProvider'] {
  const { random } = choice;
  const first = random.pick([...EDITS, 'traits', 'inventories', 'inventories', 'inventories'] as const);
  const others = random.chance(25) ? random.some(EDITS, 40) : [];
  const edits = new Set<string>(random.chance(99) ? [first, ...others] : []);
  const hasInventories = random.chance(70);
  const resourceProvider = edits.has('inventories')
    ? choice.providerThat(({ inventories }) => Object.keys(inventories).length > 0 === hasInventories)
    : choice.provider();
  return {
    resourceProvider,
    generation: random.chance(50) ? choice.generation(resourceProvider) : null,
    name: edits.has('name') ? choice.name() : null,
    parent: !edits.has('parent') ? null : random.chance(60) ? choice.provider() : { none: random.chance(97) },
    aggregates: edits.has('aggregates') ? drawSetEdit(choice, () => choice.aggregates()) : null,
    traits: edits.has('traits') ? drawSetEdit(choice, () => choice.traits()) : null,
    inventories: edits.has('inventories') ? drawInventories(choice, resourceProvider) : null,
  };
}

function drawSetEdit({ random }: RandomInputs, members: () => string[]): SetEdit {
  if (random.chance(45)) return { set: members(), ...(random.chance(2) && { add: members() }) };
  if (random.chance(2)) return {};
  const add = members();
  const remove = members().filter((member) => random.chance(3) || !add.includes(member));
  return random.pick([{ add }, { remove }, { add, remove }]);
}

function drawInventories(choice: RandomInputs, provider: string): InventoriesEdit {
  const { random, state } = choice;
  const has = Object.keys(state.providers.get(provider)?.inventories ?? {});
  if (random.chance(has.length === 0 ? 70 : 15)) return { set: choice.offers() };
  const idle = has.filter((name) => usersOf(state, provider, name).length === 0);
  const listed = idle.length > 0 && random.chance(80) ? idle : has.length > 0 ? has : CLASSES;
  const kinds = new Set([random.pick(['add', 'patch', 'remove']), random.pick(['add', 'patch', 'remove'])]);
  const removed = random.pick(random.chance(95) ? listed : CLASSES);
  const hasCounter = has.includes(COUNTER) && !(kinds.has('remove') && removed === COUNTER);
  const patched = random.pick(has.length > 0 && random.chance(95) ? has : CLASSES);
  return {
    ...(kinds.has('add') && { add: choice.list([choice.offer(undefined, hasCounter)]) }),
    ...(kinds.has('patch') && { patch: [drawPatch(choice, patched, hasCounter)] }),
    ...(kinds.has('remove') && { remove: [removed] }),
  };
}

function drawPatch(choice: RandomInputs, resourceClass: string, hasCounter: boolean) {
  const offer = resourceClass === COUNTER ? choice.counter() : choice.offer(resourceClass, hasCounter);
  const fields = Object.entries(offer).filter(() => choice.random.chance(40));
  return { ...Object.fromEntries(fields), resourceClass };
}

export function drawAggregateName({ random }: RandomInputs): Inputs['nameAggregate'] {
  return { aggregate: random.pick(AGGREGATES), name: random.pick(['', 'east', 'west', null]) };
}

export function drawAggregateMembers(choice: RandomInputs): Inputs['updateAggregateMembers'] {
  const { random } = choice;
  const some = (): string[] => Array.from({ length: random.between(0, 2) }, () => choice.provider());
  return { aggregate: random.pick(AGGREGATES), add: some(), remove: some() };
}

export function drawUnset(choice: RandomInputs): Inputs['unsetAllocations'] {
  const { random, state } = choice;
  const live = [...state.consumers.keys()];
  const consumer = random.pick(live.length > 0 && random.chance(90) ? live : CONSUMERS);
  const { generation = 1, has = {} } = state.consumers.get(consumer) ?? {};
  const parts = Object.keys(has).map(partsOf);
  const own = random.some([...new Set(parts.map(({ provider }) => provider))], 60);
  const others = random.chance(20) ? [choice.provider()] : [];
  const classes = [...new Set(parts.map(({ resourceClass }) => resourceClass))];
  return {
    consumer,
    generation: random.chance(50) ? null : random.chance(92) ? generation : generation + 1,
    resourceProviders: random.chance(60) ? [...new Set([...own, ...others])] : [],
    resourceClasses: choice.list(random.some(random.chance(90) ? classes : CLASSES, 60)),
  };
}
