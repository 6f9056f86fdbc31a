import {
  type AggregateRef,
  type AllocationCandidatesInput,
  type InventoryInput,
  type ProviderRef,
  type TotalFieldsFragment,
  type TypedDocumentString,
  UpdateProviderDocument,
  type UpdateResourceProviderInput,
} from '../generated/client/operations.js';
import type { Client } from './client.js';
import { Failure, type UnknownName } from './failure.js';

export interface Amount {
  readonly resourceClass: string;
  readonly amount: number;
}

const MAX_AMOUNT = 2 ** 31 - 1;

/** Reads `VCPU=2`, `VCPU:2` or `MEMORY_MB=4G`, or several of these separated by commas. */
export function readAmounts(text: string): Amount[] {
  return text.split(',').map((part) => {
    const [, resourceClass, amount] = /^(\w+)[=:](\d\S*)$/.exec(part.trim()) ?? [];
    if (resourceClass === undefined)
      throw Failure.usage(`"${part}" must be a resource class and an amount, such as VCPU=2 or MEMORY_MB=4G`);
    return { resourceClass, amount: readAmount(resourceClass, amount) };
  });
}

const BYTES = 'BKMGTP';

/** Reads `512` or a size such as `1G` or `1GiB`. Returns it in the unit of the class: MB, GB. */
export function readAmount(resourceClass: string, text: string): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)([KMGTP])?(?:iB?)?$/.exec(text) ?? [];
  if (digits === undefined)
    throw Failure.usage(
      `${resourceClass}=${text} must be a whole number, or a size: 4G or 4GiB is 4 * 1024^3 bytes (K, M, G, T, P)`,
    );
  const [, unitOfClass] = /_([KMGTP])B$/.exec(resourceClass) ?? [];
  if (unit !== undefined && unitOfClass === undefined)
    throw Failure.usage(`${resourceClass}=${text}: only amounts of classes such as MEMORY_MB can be sizes`);
  const exponent = unit === undefined ? 0 : BYTES.indexOf(unit) - BYTES.indexOf(unitOfClass);
  const amount = Number(digits) * 1024 ** exponent;
  if (!Number.isInteger(amount) || amount > MAX_AMOUNT)
    throw Failure.usage(`${resourceClass}=${text} must be a whole number of at most ${MAX_AMOUNT}`);
  return amount;
}

/** Reads `A,B`. */
export function readNames(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= MAX_AMOUNT) return Number(text);
    throw Failure.usage(`"${text}" must be a whole number from ${min}`);
  };
}

/** Maps the inventory fields of OpenStack's command line to those of the API. */
const FIELDS: Readonly<Record<string, Exclude<keyof InventoryInput, 'resourceClass' | 'consumes'>>> = {
  total: 'total',
  reserved: 'reserved',
  min_unit: 'minUnit',
  max_unit: 'maxUnit',
  step_size: 'stepSize',
  allocation_ratio: 'allocationRatio',
};

export type InventoryChange = Partial<InventoryInput> & { readonly resourceClass: string };

/** Reads `VCPU=16` and `VCPU:reserved=2`. Returns one entry per class, by first occurrence. */
export function readInventories(all: readonly string[]): InventoryChange[] {
  const changes = new Map<string, InventoryChange>();
  for (const text of all) {
    const [, resourceClass, name = 'total', value] = /^(\w+?)(?::([a-z]\w*))?[=:](\d\S*)$/i.exec(text) ?? [];
    const field = FIELDS[name] ?? Object.values(FIELDS).find((each) => each === name);
    if (resourceClass === undefined || field === undefined)
      throw Failure.usage(
        `"${text}" must be such as VCPU=16 or VCPU:reserved=2; the fields are ${Object.keys(FIELDS).join(', ')}`,
      );
    const number = field === 'allocationRatio' ? Number(value) : readAmount(resourceClass, value);
    if (Number.isNaN(number)) throw Failure.usage(`"${text}" must end with a number`);
    changes.set(resourceClass, { ...changes.get(resourceClass), resourceClass, [field]: number });
  }
  return [...changes.values()];
}

export function completeInventory(change: InventoryChange): InventoryInput {
  const { total, resourceClass } = change;
  if (total === undefined) throw Failure.usage(`${resourceClass} has no total: add ${resourceClass}=<total>`);
  return { ...change, total };
}

export const UUID = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** A key under which another program may have stored a consumer. */
const CONSUMER_KEY = /^[0-9a-f-]{36}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text) || CONSUMER_KEY.test(text);
}

/** Returns a uuid as the server spells it, in lower case with dashes, and other texts as they are. */
export function usualSpelling(text: string): string {
  if (!UUID.test(text)) return text;
  const digits = text.toLowerCase().replaceAll('-', '');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns a reference to the provider or the aggregate with this uuid or name. `name=` precedes a name like a uuid. */
export function reference(text: string): ProviderRef & AggregateRef {
  const [, name = text] = /^name=(.+)$/.exec(text) ?? [];
  if (UUID.test(name)) return name === text ? { uuid: usualSpelling(text) } : { name };
  return { name: text };
}

/** Returns the name of a group of totals: an aggregate without a name has its uuid. */
export function groupName(group: NonNullable<TotalFieldsFragment['group']>): string {
  return group.__typename === 'Aggregate' ? (group.aggregateName ?? group.uuid) : group.name;
}

/** Reads `A,B` as references. */
export function references(text: string) {
  return readNames(text).map(reference);
}

export function readUuid(text: string): string {
  if (isUuid(text)) return usualSpelling(text);
  throw Failure.usage(`"${text}" must be a uuid`);
}

/** Excludes the trees with these roots from a request, each once. */
export function excluding(
  request: AllocationCandidatesInput,
  roots: readonly { readonly uuid: string; readonly name: string }[],
): AllocationCandidatesInput {
  const given = request.notInTrees ?? [];
  const isGiven = (uuid: string, name: string) =>
    given.some((each) => each.uuid === uuid || each.name === name);
  const others = new Set(roots.flatMap(({ uuid, name }) => (isGiven(uuid, name) ? [] : uuid)));
  return { ...request, notInTrees: [...given, ...[...others].map((uuid) => ({ uuid }))] };
}

/** Reads a provider that is named by its uuid or its name. */
export async function readProvider<Provider, Variables extends { by: ProviderRef }>(
  client: Client,
  document: TypedDocumentString<{ resourceProvider: Provider | null }, Variables>,
  text: string,
  variables?: Omit<Variables, 'by'>,
): Promise<Provider> {
  const all = { ...variables, by: reference(text) } as Variables;
  const { resourceProvider } = await client.run(document, all);
  return known(resourceProvider, 'resource provider', text);
}

export type Updated = Awaited<ReturnType<typeof updateProvider>>;

/** Applies edits to a provider that is named by its uuid or its name. */
export async function updateProvider(
  client: Client,
  text: string,
  edits: Omit<UpdateResourceProviderInput, 'resourceProvider'>,
) {
  const input = { resourceProvider: reference(text), ...edits };
  return (await client.mutate(UpdateProviderDocument, { input })).resourceProvider;
}

/** @throws Failure if the object does not exist */
export function known<Value>(
  value: Value | null | undefined,
  kind: UnknownName['kind'] | 'consumer',
  name: string,
): Value {
  if (value != null) return value;
  throw Failure.notFound(`there is no ${kind} "${name}"`, kind === 'consumer' ? undefined : { kind, name });
}
