import type * as api from '../generated/client/operations.js';
import { amounts } from './output.js';

/** A stored provider. */
export interface Stored {
  readonly inventories: readonly api.InventoryFieldsFragment[];
  readonly traits: readonly { readonly name: string }[];
  readonly aggregates: readonly { readonly uuid: string; readonly name: string | null }[];
}

/** The desired inventories, traits and aggregates of a provider. Null leaves them unchanged. */
type Desired = Pick<api.DesiredProviderInput, 'inventories' | 'traits' | 'aggregates'>;

/** Compares a desired provider with the stored one. Returns texts such as `+VCPU=8`, `-zone-1`. */
export function supplyDifferences(stored: Stored | undefined, desired: Desired): string[] {
  const aggregates = desired.aggregates?.map((ref) => {
    const found = stored?.aggregates.find(({ uuid, name }) => uuid === ref.uuid || name === ref.name);
    return found ? nameOf(found) : (ref.name ?? ref.uuid);
  });
  return [
    ...inventoryDifferences(stored?.inventories ?? [], desired.inventories),
    ...setDifferences(stored?.traits.map(({ name }) => name) ?? [], desired.traits),
    ...setDifferences(stored?.aggregates.map(nameOf) ?? [], aggregates),
  ];
}

const nameOf = ({ uuid, name }: Stored['aggregates'][number]): string => name ?? uuid;

function setDifferences(stored: readonly string[], desired: readonly string[] | null | undefined): string[] {
  if (desired == null) return [];
  return [...onlyIn('+', desired, stored), ...onlyIn('-', stored, desired)];
}

/** Returns the texts that the others lack, with a sign. */
function onlyIn(sign: string, texts: readonly string[], others: readonly string[]): string[] {
  return texts.filter((text) => !others.includes(text)).map((text) => sign + text);
}

const INVENTORY = { reserved: 0, minUnit: 1, maxUnit: 2 ** 31 - 1, stepSize: 1, allocationRatio: 1 };

/** Adds the defaults of the API to the amounts of an inventory. */
export function withInventoryDefaults(inventory: api.InventoryInput) {
  const all = { ...INVENTORY, ...inventory };
  const { reserved, minUnit, maxUnit, stepSize, allocationRatio, resourceClass, total } = all;
  return { reserved, minUnit, maxUnit, stepSize, allocationRatio, resourceClass, total };
}

/** Returns `CUSTOM_1G consumes +gpu-0/CUSTOM_MEM_0=1` for a new counter; empty if the counters are equal. */
function consumptionDifferences(
  before: api.InventoryFieldsFragment['consumes'],
  { resourceClass, consumes }: api.InventoryInput,
): string[] {
  const names = new Map(
    before.map(({ resourceProvider }) => [resourceProvider?.uuid, resourceProvider?.name]),
  );
  const stored = before.map((counter) => {
    return `${counter.resourceProvider?.name ?? '?'}/${counter.resourceClass.name}=${counter.amount}`;
  });
  const desired = (consumes ?? []).map(
    ({ resourceProvider: { uuid, name }, resourceClass: counter, amount }) => {
      return `${name ?? names.get(uuid) ?? uuid}/${counter}=${amount ?? 1}`;
    },
  );
  const changed = setDifferences(stored, desired);
  return changed.length === 0 ? [] : [`${resourceClass} consumes ${changed.join(' ')}`];
}

/** Returns `+VCPU=8` for a new, `-VCPU` for a removed, `VCPU total 8 -> 16` for a changed one. */
export function inventoryDifferences(
  stored: readonly api.InventoryFieldsFragment[],
  desired: readonly api.InventoryInput[] | null | undefined,
): string[] {
  if (desired == null) return [];
  const given = desired.flatMap((inventory) => {
    const { resourceClass, ...after } = withInventoryDefaults(inventory);
    const before = stored.find((each) => each.resourceClass.name === resourceClass);
    const names = Object.keys(after) as (keyof typeof after)[];
    if (before) {
      // a stored ratio has single precision
      const valueOf = (of: typeof after, name: keyof typeof after): number =>
        name === 'allocationRatio' ? Math.fround(of[name]) : of[name];
      const changed = names.filter((name) => valueOf(before, name) !== valueOf(after, name));
      const amounts = changed.map((name) => `${resourceClass} ${name} ${before[name]} -> ${after[name]}`);
      return [...amounts, ...consumptionDifferences(before.consumes, inventory)];
    }
    const others = names.filter((name) => name !== 'total' && after[name] !== INVENTORY[name]);
    const fields = others.map((name) => `${resourceClass} ${name} ${after[name]}`);
    return [`+${resourceClass}=${after.total}`, ...fields, ...consumptionDifferences([], inventory)];
  });
  const removed = stored.filter(({ resourceClass: { name } }) =>
    desired.every((each) => each.resourceClass !== name),
  );
  return [...given, ...removed.map(({ resourceClass }) => `-${resourceClass.name}`)];
}

type Allocations = readonly { readonly name: string; readonly resources: Parameters<typeof amounts>[0] }[];

/** Formats amounts by the names of their classes. */
export function sortedAmounts(resources: Parameters<typeof amounts>[0]): string {
  return amounts([...resources].sort((a, b) => (a.resourceClass < b.resourceClass ? -1 : 1)));
}

/** Returns stated allocations with the names of their providers. A provider of a stored allocation may be stated by uuid. */
export function statedParts(
  providers: readonly api.ProviderAllocationInput[],
  stored: readonly { readonly uuid: string; readonly name: string }[],
): Allocations {
  return providers.map(({ resourceProvider: { uuid, name }, resources }) => {
    const found = uuid == null ? undefined : stored.find((each) => each.uuid === uuid);
    return { name: name ?? found?.name ?? uuid ?? '', resources };
  });
}

/** Returns `-host1: VCPU=4` for released and `+host2: VCPU=4` for new allocations. */
export function allocationDifferences(before: Allocations, after: Allocations): string[] {
  const texts = (all: Allocations): string[] =>
    all.map(({ name, resources }) => `${name}: ${sortedAmounts(resources)}`);
  const [old, desired] = [texts(before), texts(after)];
  return [...onlyIn('-', old, desired), ...onlyIn('+', desired, old)];
}
