import type { InventoryRecord } from '../support/forest.js';
import type { Reference, RestAnswer } from '../../bench/beside/reference.js';
import type { State } from './state.js';
import { verdictOfReference, type Verdict } from './verdicts.js';
import {
  consumerGeneration,
  providerGeneration,
  type ConsumerWrite,
  type ProviderDetail,
  type Write,
} from './write.js';

/** Asks the reference for a write, with the generations of this state. */
export async function writeByReference(reference: Reference, state: State, write: Write): Promise<Verdict> {
  return verdictOfReference(await send(reference, state, write));
}

async function send(reference: Reference, state: State, write: Write): Promise<RestAnswer> {
  switch (write.kind) {
    case 'createProvider':
      return reference.send('POST', '/resource_providers', {
        uuid: write.provider,
        name: write.name,
        parent_provider_uuid: write.parent,
      });
    case 'updateProvider':
      return reference.send('PUT', `/resource_providers/${write.provider}`, {
        name: write.name,
        parent_provider_uuid: write.parent,
      });
    case 'deleteProvider':
      return reference.send('DELETE', `/resource_providers/${write.provider}`);
    case 'setAllocations':
      return sendAllocations(reference, state, write.consumers);
    case 'deleteAllocations':
      return reference.send('DELETE', `/allocations/${write.consumer}`);
    case 'reshape':
      return reference.send('POST', '/reshaper', reshape(state, write));
    case 'createTrait':
      return reference.send('PUT', `/traits/${write.name}`);
    case 'deleteTrait':
      return reference.send('DELETE', `/traits/${write.name}`);
    case 'createClass':
      return reference.send('PUT', `/resource_classes/${write.name}`);
    case 'deleteClass':
      return reference.send('DELETE', `/resource_classes/${write.name}`);
    case 'setInventories':
    case 'setInventory':
    case 'deleteInventory':
    case 'setTraits':
    case 'setAggregates':
      return sendDetail(reference, state, write);
  }
}

function sendDetail(reference: Reference, state: State, write: ProviderDetail): Promise<RestAnswer> {
  const path = `/resource_providers/${write.provider}`;
  if (write.kind === 'deleteInventory')
    return reference.send('DELETE', `${path}/inventories/${write.resourceClass}`);
  const generation = { resource_provider_generation: providerGeneration(state, write) };
  switch (write.kind) {
    case 'setInventories':
      return reference.send('PUT', `${path}/inventories`, { inventories: write.inventories, ...generation });
    case 'setInventory': {
      const { resourceClass, inventory } = write;
      if (state.providers[write.provider]?.inventories[resourceClass] === undefined)
        return reference.send('POST', `${path}/inventories`, { resource_class: resourceClass, ...inventory });
      return reference.send('PUT', `${path}/inventories/${resourceClass}`, { ...inventory, ...generation });
    }
    case 'setTraits':
      return reference.send('PUT', `${path}/traits`, { traits: write.traits, ...generation });
    case 'setAggregates':
      return reference.send('PUT', `${path}/aggregates`, { aggregates: write.aggregates, ...generation });
  }
}

/** One consumer by PUT, several by POST. */
function sendAllocations(
  reference: Reference,
  state: State,
  consumers: readonly ConsumerWrite[],
): Promise<RestAnswer> {
  if (consumers.length > 1) return reference.send('POST', '/allocations', allocations(state, consumers));
  return reference.send('PUT', `/allocations/${consumers[0].consumer}`, allocation(state, consumers[0]));
}

function allocations(state: State, consumers: readonly ConsumerWrite[]): Record<string, object> {
  return Object.fromEntries(consumers.map((each) => [each.consumer, allocation(state, each)]));
}

function allocation(state: State, write: ConsumerWrite): object {
  return {
    allocations: Object.fromEntries(
      Object.entries(write.allocations).map(([provider, resources]) => [provider, { resources }]),
    ),
    project_id: write.project,
    user_id: write.user,
    consumer_type: write.type,
    consumer_generation: consumerGeneration(state, write),
  };
}

function reshape(state: State, { providers, consumers }: Extract<Write, { kind: 'reshape' }>): object {
  const inventories = providers.map(
    (each): [string, Record<string, number | Record<string, InventoryRecord>>] => [
      each.provider,
      { inventories: each.inventories, resource_provider_generation: providerGeneration(state, each) },
    ],
  );
  return { inventories: Object.fromEntries(inventories), allocations: allocations(state, consumers) };
}
