import { mapValues } from '../../src/model/collections.js';
import { capacity } from '../oracle/capacity.js';
import type { InventoryRecord } from '../support/forest.js';
import { rulesApplied, type Rule } from './differences.js';
import { floatCapacity, unitsFit } from './referenceRelations.js';
import type { ConsumerState, ProviderState, State } from './state.js';
import { differ } from './values.js';
import type { Verdict } from './verdicts.js';
import type { ConsumerWrite, Write } from './write.js';

/** The rules by which the reference rejects allocations that this server accepts. */
const RULES = ['D1', 'D2', 'rule 99'] as const;
type AllocationRule = (typeof RULES)[number];

/** Returns the rules by which only the reference rejects an otherwise valid write. */
export function rulesOfRejection(before: State, write: Write): Rule[] {
  if (write.kind !== 'setAllocations' && write.kind !== 'reshape') return [];
  return rulesApplied(RULES, (rules) => acceptsAllocations(before, write, rules));
}

/** Rule 29: returns whether only the reference accepts a write with a stale generation. */
export function isUncheckedCreation({ providers, customClasses }: State, write: Write): boolean {
  return (
    write.kind === 'setInventory' &&
    write.isStale &&
    providers[write.provider] !== undefined &&
    providers[write.provider].inventories[write.resourceClass] === undefined &&
    (!write.resourceClass.startsWith('CUSTOM_') || customClasses.includes(write.resourceClass))
  );
}

/** Returns whether the amounts respect units and capacities by the given rules (rules 95 to 99). */
function acceptsAllocations(
  { providers }: State,
  write: Extract<Write, { kind: 'setAllocations' | 'reshape' }>,
  rules: ReadonlySet<AllocationRule>,
): boolean {
  const reshaped = write.kind === 'reshape' ? write.providers : [];
  const writers = new Set(write.consumers.map(({ consumer }) => consumer));
  return amountsByInventory(write.consumers).every(({ provider, resourceClass, amounts }) => {
    const { inventories, usages, allocations } = providers[provider];
    const inventory: InventoryRecord | undefined =
      reshaped.find((each) => each.provider === provider)?.inventories[resourceClass] ??
      inventories[resourceClass];
    if (inventory === undefined) return false;
    const released = Object.entries(allocations)
      .filter(([consumer]) => writers.has(consumer))
      .reduce((sum, [, used]) => sum + (used[resourceClass] ?? 0), 0);
    const before = usages[resourceClass] ?? 0;
    const after = before - released + amounts.reduce((sum, amount) => sum + amount, 0);
    const most = rules.has('D2') ? floatCapacity(inventory) : capacity(inventory);
    const isAllowed = after <= most || (!rules.has('rule 99') && after <= before);
    return isAllowed && amounts.every((amount) => unitsFit(inventory, amount, rules));
  });
}

interface Amounts {
  readonly provider: string;
  readonly resourceClass: string;
  readonly amounts: number[];
}

function amountsByInventory(consumers: readonly ConsumerWrite[]): Amounts[] {
  const found = new Map<string, Amounts>();
  for (const { allocations } of consumers)
    for (const [provider, resources] of Object.entries(allocations))
      for (const [resourceClass, amount] of Object.entries(resources)) {
        const key = `${provider} ${resourceClass}`;
        if (!found.has(key)) found.set(key, { provider, resourceClass, amounts: [] });
        found.get(key)!.amounts.push(amount);
      }
  return [...found.values()];
}

/** Returns the state after a write of this server that led to this content: decision D5, rule 84. */
export function withOurGenerations(before: State, content: State): State {
  return withGenerations(before, content, {
    provider: (uuid) => (isChanged(before.providers[uuid], content.providers[uuid]) ? 1 : 0),
    consumer: (uuid) => (isChanged(before.consumers[uuid], content.consumers[uuid]) ? 1 : 0),
  });
}

/** Returns the state after a write of the reference that led to this content: rules 36, 45, 60 to 64, 84, 88, 190. */
export function withTheirGenerations(before: State, content: State, write: Write): State {
  const consumers = 'consumers' in write ? write.consumers : [];
  const named = consumers.flatMap((each) => visited(before, each));
  const written = new Set(
    consumers.filter((each) => visited(before, each).length > 0).map((each) => each.consumer),
  );
  const ghosts = consumers
    .map(({ consumer }) => consumer)
    .filter((uuid) => before.consumers[uuid] === undefined && content.consumers[uuid] === undefined);
  const state = withGenerations(before, content, {
    provider: (uuid) => ownIncrements(before, content, write, uuid) + (named.includes(uuid) ? 1 : 0),
    consumer: (uuid) => (written.has(uuid) ? 1 : 0),
  });
  return { ...state, emptyConsumers: Object.fromEntries(ghosts.map((uuid) => [uuid, 0])) };
}

/** Returns the state of the reference after it has rejected a write: rule 88. */
export function afterRejection(before: State, write: Write, { reason }: Verdict): State {
  const consumers = 'consumers' in write ? write.consumers : [];
  const isUnknown = consumers
    .flatMap(({ allocations }) => Object.keys(allocations))
    .some((uuid) => before.providers[uuid] === undefined);
  const leavesGhosts = isUnknown && reason === '400 placement.undefined_code';
  const ghosts = consumers.filter(({ consumer }) => leavesGhosts && before.consumers[consumer] === undefined);
  return { ...before, emptyConsumers: Object.fromEntries(ghosts.map(({ consumer }) => [consumer, 0])) };
}

const ALWAYS_INCREMENT: readonly Write['kind'][] = [
  'setInventories',
  'setInventory',
  'deleteInventory',
  'setAggregates',
];

/** Returns how often a write to providers increments the generation of one of them. */
function ownIncrements(before: State, content: State, write: Write, uuid: string): number {
  if (write.kind === 'reshape') {
    const reshaped = write.providers.find(({ provider }) => provider === uuid);
    if (reshaped === undefined) return 0;
    return Object.keys(reshaped.inventories).length > 0 ? 2 : 1;
  }
  if (!('provider' in write) || write.provider !== uuid) return 0;
  if (write.kind === 'setTraits')
    return differ(before.providers[uuid].traits, content.providers[uuid].traits) ? 1 : 0;
  return ALWAYS_INCREMENT.includes(write.kind) ? 1 : 0;
}

/** Returns the providers of a consumer's write; its former providers if it releases everything. */
function visited({ consumers }: State, { consumer, allocations }: ConsumerWrite): string[] {
  const named = Object.keys(allocations);
  return named.length > 0 ? named : Object.keys(consumers[consumer]?.allocations ?? {});
}

function withGenerations(
  before: State,
  content: State,
  increments: { provider(uuid: string): number; consumer(uuid: string): number },
): State {
  return {
    ...content,
    providers: mapValues(content.providers, (provider, uuid) => {
      const old = before.providers[uuid];
      return { ...provider, generation: old === undefined ? 0 : old.generation + increments.provider(uuid) };
    }),
    consumers: mapValues(content.consumers, (consumer, uuid) => {
      const old = before.consumers[uuid];
      return { ...consumer, generation: old === undefined ? 1 : old.generation + increments.consumer(uuid) };
    }),
  };
}

/** Rule 43: a new root is no change of a provider, because another provider has moved. */
function isChanged<T extends ProviderState | ConsumerState>(before: T, after: T): boolean {
  return differ({ ...before, root: null, generation: null }, { ...after, root: null, generation: null });
}
