import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import {
  type AggregateRef,
  type AllocationCandidatesInput,
  type InventoryInput,
  type ProviderRef,
  type TypedDocumentString,
  UpdateProviderDocument,
  type UpdateProviderMutation,
  type UpdateResourceProviderInput,
} from '../../generated/client/operations.js';
import type { Client } from './client.js';
import { Failure } from './failure.js';

export interface Amount {
  readonly resourceClass: string;
  readonly amount: number;
}

/** `VCPU=2`, or several with commas. */
export function readAmounts(text: string): Amount[] {
  return text.split(',').map((part) => {
    const [, resourceClass, amount] = /^(\w+)=(\d+)$/.exec(part.trim()) ?? [];
    if (resourceClass === undefined)
      throw Failure.usage(`"${part}" must be a resource class and an amount, such as VCPU=2`);
    return { resourceClass, amount: Number(amount) };
  });
}

/** `A,B` */
export function readAlternatives(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) >= min) return Number(text);
    throw Failure.usage(`"${text}" must be a whole number from ${min}`);
  };
}

/** Reads a file of JSON or YAML; `-` is standard input. The server checks the content. */
export async function readInput<Input>(file: string, option: string): Promise<Input> {
  const { parse } = await import('yaml');
  try {
    return parse(file === '-' ? await readStream(process.stdin) : await readFile(file, 'utf8')) as Input;
  } catch (error) {
    throw Failure.usage(`${option} ${file}: ${(error as Error).message}`);
  }
}

/** The fields of an inventory, by their names in OpenStack's command line. */
const FIELDS: Readonly<Record<string, Exclude<keyof InventoryInput, 'resourceClass'>>> = {
  total: 'total',
  reserved: 'reserved',
  min_unit: 'minUnit',
  max_unit: 'maxUnit',
  step_size: 'stepSize',
  allocation_ratio: 'allocationRatio',
};

export type InventoryChange = Partial<InventoryInput> & { readonly resourceClass: string };

/** `VCPU=16` and `VCPU:reserved=2`: one entry for each resource class, in the order of their first fields. */
export function readInventories(all: readonly string[]): InventoryChange[] {
  const changes = new Map<string, InventoryChange>();
  for (const text of all) {
    const [, resourceClass, name = 'total', value] = /^(\w+)(?::(\w+))?=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
    const field = FIELDS[name] ?? Object.values(FIELDS).find((each) => each === name);
    if (resourceClass === undefined || field === undefined)
      throw Failure.usage(
        `"${text}" must be such as VCPU=16 or VCPU:reserved=2; the fields are ${Object.keys(FIELDS).join(', ')}`,
      );
    changes.set(resourceClass, { ...changes.get(resourceClass), resourceClass, [field]: Number(value) });
  }
  return [...changes.values()];
}

export function completeInventory(change: InventoryChange): InventoryInput {
  const { total, resourceClass } = change;
  if (total === undefined) throw Failure.usage(`${resourceClass} has no total: add ${resourceClass}=<total>`);
  return { ...change, total };
}

const UUID = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** The reference to the provider or the aggregate with this uuid or name. */
export function reference(text: string): ProviderRef & AggregateRef {
  return UUID.test(text) ? { uuid: text } : { name: text };
}

/** Excludes the trees with these roots from a request, each once. */
export function excluding(
  request: AllocationCandidatesInput,
  roots: readonly { readonly uuid: string; readonly name: string }[],
): AllocationCandidatesInput {
  const given = request.notInTrees ?? [];
  const others = new Map(roots.map((root) => [root.uuid, root]));
  for (const [uuid, root] of others)
    if (given.some((each) => each.uuid === uuid || each.name === root.name)) others.delete(uuid);
  return { ...request, notInTrees: [...given, ...[...others.keys()].map((uuid) => ({ uuid }))] };
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

export type Updated = Extract<
  UpdateProviderMutation['updateResourceProvider'],
  { resourceProvider: object }
>['resourceProvider'];

/** Applies edits to a provider that is named by its uuid or its name. */
export async function updateProvider(
  client: Client,
  text: string,
  edits: Omit<UpdateResourceProviderInput, 'resourceProvider'>,
): Promise<Updated> {
  const input = { resourceProvider: reference(text), ...edits };
  return (await client.mutate(UpdateProviderDocument, { input })).resourceProvider;
}

/** @throws Failure if the object does not exist */
export function known<Value>(value: Value | null | undefined, kind: string, name: string): Value {
  if (value == null) throw Failure.notFound(`there is no ${kind} "${name}"`);
  return value;
}
