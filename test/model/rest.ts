import { expect } from '@jest/globals';
import type { RestAnswer, RestRequest } from '../support/httpPost.js';
import { Random } from '../oracle/random.js';
import type { Command, ConsumerInput, Inputs, InventoryInput } from './inputs.js';
import type { Prediction } from './model.js';
import { partsOf, type ModelProvider, type State } from './state.js';

/** Returns whether a step sends its command over REST if it can. */
export function prefersRest(seed: number): boolean {
  return new Random(seed ^ 0x2e57).chance(50);
}

/** Returns the request of Placement's REST API that does the same as a mutation. Null if there is none. */
export function restRequestOf({ field, input }: Command, state: State): RestRequest | null {
  const request = REQUESTS[field] as
    | ((input: Command['input'], state: State) => RestRequest | null)
    | undefined;
  return request?.(input, state) ?? null;
}

const REQUESTS: { readonly [F in keyof Inputs]?: (input: Inputs[F], state: State) => RestRequest | null } = {
  createResourceProvider({ name, uuid, parent, aggregates, traits, inventories }) {
    if (aggregates.length + traits.length + inventories.length > 0) return null;
    const body = { name, ...(uuid !== null && { uuid }), parent_provider_uuid: parent };
    return { method: 'POST', path: '/resource_providers', body };
  },
  updateResourceProvider: updateRequest,
  deleteResourceProvider: ({ resourceProvider }) => deletion(`/resource_providers/${resourceProvider}`),
  createTrait: ({ name }) => ({ method: 'PUT', path: `/traits/${name}` }),
  deleteTrait: ({ name }) => deletion(`/traits/${name}`),
  createResourceClass: ({ name }) => ({ method: 'PUT', path: `/resource_classes/${name}` }),
  deleteResourceClass: ({ name }) => deletion(`/resource_classes/${name}`),
  setAllocations({ consumers }) {
    const [version, body] = consumersBody(consumers) ?? [];
    if (body === undefined) return null;
    const [consumer] = consumers;
    // PUT writes one consumer, POST any number
    return consumers.length === 1 && consumer.generation !== null
      ? { method: 'PUT', path: `/allocations/${consumer.consumer}`, body: body[consumer.consumer], version }
      : { method: 'POST', path: '/allocations', body, version };
  },
  deleteConsumer: ({ consumer }) => deletion(`/allocations/${consumer}`),
  reshape({ inventories, allocations, dryRun }, { providers: stored }) {
    if (!inventories.every((each) => keepsConsumption(stored.get(each.resourceProvider), each.inventories)))
      return null;
    const [version, consumers] = consumersBody(allocations) ?? [];
    const providers = keyed(inventories, ({ resourceProvider, generation, inventories: offers }) => {
      const own = inventoriesBody(offers);
      return own && [resourceProvider, { resource_provider_generation: generation, inventories: own }];
    });
    if (dryRun || consumers === undefined || providers === null) return null;
    return {
      method: 'POST',
      path: '/reshaper',
      body: { inventories: providers, allocations: consumers },
      version,
    };
  },
};

function deletion(path: string): RestRequest {
  return { method: 'DELETE', path };
}

/** Returns an object with a member for each element. Null if two have one key, or an element has no form. */
function keyed<T>(
  all: readonly T[],
  memberOf: (one: T) => readonly [key: string, value: object | number] | null,
): Record<string, object> | null {
  const members = all.map(memberOf);
  const found = members.filter((member) => member !== null);
  const isWhole = new Set(found.map(([key]) => key)).size === all.length;
  return isWhole ? (Object.fromEntries(found) as Record<string, object>) : null;
}

/** The last version without types of consumers. */
const WITHOUT_TYPES = 37;

function consumersBody(
  consumers: readonly ConsumerInput[],
): [version: number, body: Record<string, object>] | null {
  if (consumers.some(({ expiresAt }) => expiresAt !== null)) return null;
  const types = consumers.filter(({ type }) => type !== null).length;
  if (types > 0 && types < consumers.length) return null;
  const body = keyed(consumers, ({ consumer, generation, type, projectId, userId, allocations }) => {
    const all = keyed(allocations, ({ resourceProvider, resources }) => {
      const amounts = keyed(resources, ({ resourceClass, amount }) => [resourceClass, amount]);
      return amounts && [resourceProvider, { resources: amounts }];
    });
    const owner = { project_id: projectId, user_id: userId, ...(type !== null && { consumer_type: type }) };
    return all && [consumer, { allocations: all, consumer_generation: generation, ...owner }];
  });
  return body && [types > 0 ? 39 : WITHOUT_TYPES, body];
}

/** Returns whether inventories consume what the stored ones do: REST cannot change it. */
function keepsConsumption(stored: ModelProvider | undefined, offers: readonly InventoryInput[]): boolean {
  return offers.every(
    ({ resourceClass, consumes }) => consumes === (stored?.inventories[resourceClass]?.consumes ?? 0),
  );
}

function inventoriesBody(offers: readonly InventoryInput[]): Record<string, object> | null {
  return keyed(offers, (offer) => [offer.resourceClass, inventoryBody(offer)]);
}

function inventoryBody({
  total,
  reserved,
  minUnit,
  maxUnit,
  stepSize,
  allocationRatio,
}: InventoryInput): object {
  const units = { min_unit: minUnit, max_unit: maxUnit, step_size: stepSize };
  return { total, reserved, ...units, allocation_ratio: allocationRatio };
}

function updateRequest(input: Inputs['updateResourceProvider'], state: State): RestRequest | null {
  const { resourceProvider, generation, name, parent, aggregates, traits, inventories } = input;
  const path = `/resource_providers/${resourceProvider}`;
  const stated = { resource_provider_generation: generation };
  const parts = [name ?? parent, aggregates, traits, inventories].filter((part) => part !== null);
  if (parts.length !== 1) return null;
  if (aggregates) {
    const set = onlySet(aggregates);
    if (set === null) return null;
    // before version 1.19 no generation is stated
    return generation === null
      ? { method: 'PUT', path: `${path}/aggregates`, body: set, version: 18 }
      : { method: 'PUT', path: `${path}/aggregates`, body: { aggregates: set, ...stated } };
  }
  if (traits) {
    const set = onlySet(traits);
    if (set === null) return null;
    if (generation !== null)
      return { method: 'PUT', path: `${path}/traits`, body: { traits: set, ...stated } };
    return set.length === 0 ? deletion(`${path}/traits`) : null;
  }
  if (inventories) return inventoriesRequest(input, state);
  const known = name ?? state.providers.get(resourceProvider)?.name;
  if (generation !== null || known === undefined || (typeof parent === 'object' && parent?.none === false))
    return null;
  const above = parent !== null && { parent_provider_uuid: typeof parent === 'string' ? parent : null };
  return { method: 'PUT', path, body: { name: known, ...above } };
}

function onlySet(edit: { readonly set?: string[] }): string[] | null {
  const { set } = edit;
  return set !== undefined && Object.keys(edit).length === 1 && new Set(set).size === set.length ? set : null;
}

function inventoriesRequest(
  { resourceProvider, generation, inventories }: Inputs['updateResourceProvider'],
  { providers }: State,
): RestRequest | null {
  const path = `/resource_providers/${resourceProvider}/inventories`;
  const { set, add = [], remove = [] } = inventories!;
  if (!keepsConsumption(providers.get(resourceProvider), set ?? add)) return null;
  if (Object.keys(inventories!).length !== 1) return null;
  if (set && generation !== null) {
    const body = inventoriesBody(set);
    return (
      body && { method: 'PUT', path, body: { inventories: body, resource_provider_generation: generation } }
    );
  }
  if (generation !== null) return null;
  if (set) return set.length === 0 ? deletion(path) : null;
  if (remove.length === 1) return deletion(`${path}/${remove[0]}`);
  const [created] = add;
  const isNew =
    add.length === 1 && !(created.resourceClass in (providers.get(resourceProvider)?.inventories ?? {}));
  return isNew
    ? { method: 'POST', path, body: { resource_class: created.resourceClass, ...inventoryBody(created) } }
    : null;
}

/**
 * Decision D26. The generation of a provider rises once for each write of its inventories or aggregates, for each write
 * of allocations that names it, and if a consumer that the write empties leaves it. Releases, names and parents do not
 * count; a reshape counts inventories twice, or once if it leaves none. A consumer counts each write that names it.
 */
export function setRestGenerations(before: State, after: State, { field, input }: Command): void {
  const steps = new Map<string, number>();
  const count = (uuid: string, step: number): void => void steps.set(uuid, (steps.get(uuid) ?? 0) + step);
  const consumers =
    field === 'setAllocations' ? input.consumers : field === 'reshape' ? input.allocations : [];
  for (const uuid of new Set(consumers.flatMap((each) => countedProviders(before, each)))) count(uuid, 1);
  if (field === 'reshape')
    for (const each of input.inventories) count(each.resourceProvider, each.inventories.length > 0 ? 2 : 1);
  if (field === 'updateResourceProvider' && countsAlways(input)) count(input.resourceProvider, 1);
  for (const [uuid, step] of steps) {
    const provider = after.providers.get(uuid)!;
    provider.generation = before.providers.get(uuid)!.generation + step;
  }
  for (const { consumer } of consumers) {
    const written = after.consumers.get(consumer);
    if (!written) continue;
    written.expiresAt = null;
    written.generation = (before.consumers.get(consumer)?.generation ?? 0) + 1;
  }
}

function countsAlways({ inventories, aggregates, generation }: Inputs['updateResourceProvider']): boolean {
  return inventories !== null || (aggregates !== null && generation !== null);
}

/** Returns whether decision D5 holds for a write over REST, too: of traits, and of aggregates before version 1.19. */
export function countsChanges({ field, input }: Command): boolean {
  if (field !== 'updateResourceProvider') return false;
  return input.traits !== null || (input.aggregates !== null && input.generation === null);
}

function countedProviders({ consumers }: State, { consumer, allocations }: ConsumerInput): string[] {
  if (allocations.length > 0) return allocations.map(({ resourceProvider }) => resourceProvider);
  return Object.keys(consumers.get(consumer)?.has ?? {}).map((key) => partsOf(key).provider);
}

/** The answers to errors of the ledger. */
const ANSWERS: Readonly<Record<string, readonly [status: number, code: string]>> = {
  DUPLICATE_NAME: [409, 'placement.duplicate_name'],
  DUPLICATE_UUID: [409, 'placement.duplicate_name'],
  PROVIDER_GENERATION_CONFLICT: [409, 'placement.concurrent_update'],
  CONSUMER_GENERATION_CONFLICT: [409, 'placement.concurrent_update'],
  PROVIDER_HAS_CHILDREN: [409, 'placement.resource_provider.cannot_delete_parent'],
  PROVIDER_IN_USE: [409, 'placement.resource_provider.inuse'],
  TRAIT_IN_USE: [409, 'placement.undefined_code'],
  RESOURCE_CLASS_IN_USE: [409, 'placement.undefined_code'],
  CONSUMPTION_IN_USE: [409, 'placement.inventory.inuse'],
  NO_INVENTORY: [409, 'placement.undefined_code'],
  UNIT_VIOLATION: [409, 'placement.undefined_code'],
  CAPACITY_EXCEEDED: [409, 'placement.undefined_code'],
  QUOTA_EXCEEDED: [409, 'placement.undefined_code'],
};
/** Errors with several codes: one inventory or several in use, the first violation of a reshape. */
const SEVERAL_CODES = ['INVENTORY_IN_USE', 'RESHAPE_REFUSED'];

/** Compares a REST answer with the prediction. The path and the form of a body are judged before the ledger. */
export function compareRestAnswer({ refused }: Prediction, { status, code }: RestAnswer): void {
  if (refused === null) {
    expect([200, 201, 204]).toContain(status);
    return;
  }
  if (status === 400 || status === 404) return;
  if (SEVERAL_CODES.includes(refused.code)) expect(status).toBe(409);
  else expect([status, code]).toEqual(ANSWERS[refused.code]);
}
