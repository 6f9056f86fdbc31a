import type { Reference } from '../../bench/beside/reference.js';
import type { State } from './state.js';
import { verdictOfReference, type Verdict } from './verdicts.js';
import { consumerGeneration, providerGeneration, type ConsumerWrite, type Write } from './write.js';

/** Asks the reference for a write, with the generations of this state. */
export async function writeByReference(reference: Reference, state: State, write: Write): Promise<Verdict> {
  return verdictOfReference(await reference.send(...requestOf(state, write)));
}

function requestOf(state: State, write: Write): [method: string, path: string, body?: object] {
  const path = 'provider' in write ? `/resource_providers/${write.provider}` : '';
  const generation = 'provider' in write &&
    'isStale' in write && { resource_provider_generation: providerGeneration(state, write) };
  switch (write.kind) {
    case 'createProvider': {
      const { provider: uuid, name, parent: parent_provider_uuid } = write;
      return ['POST', '/resource_providers', { uuid, name, parent_provider_uuid }];
    }
    case 'updateProvider':
      return ['PUT', path, { name: write.name, parent_provider_uuid: write.parent }];
    case 'deleteProvider':
      return ['DELETE', path];
    case 'setInventories':
      return ['PUT', `${path}/inventories`, { inventories: write.inventories, ...generation }];
    case 'setInventory': {
      const { resourceClass, inventory } = write;
      if (state.providers[write.provider]?.inventories[resourceClass] === undefined)
        return ['POST', `${path}/inventories`, { resource_class: resourceClass, ...inventory }];
      return ['PUT', `${path}/inventories/${resourceClass}`, { ...inventory, ...generation }];
    }
    case 'deleteInventory':
      return ['DELETE', `${path}/inventories/${write.resourceClass}`];
    case 'setTraits':
      return ['PUT', `${path}/traits`, { traits: write.traits, ...generation }];
    case 'setAggregates':
      return ['PUT', `${path}/aggregates`, { aggregates: write.aggregates, ...generation }];
    case 'setAllocations': {
      const [first, ...others] = write.consumers;
      if (others.length > 0) return ['POST', '/allocations', allocations(state, write.consumers)];
      return ['PUT', `/allocations/${first.consumer}`, allocation(state, first)];
    }
    case 'deleteAllocations':
      return ['DELETE', `/allocations/${write.consumer}`];
    case 'reshape':
      return ['POST', '/reshaper', reshape(state, write)];
    case 'createTrait':
      return ['PUT', `/traits/${write.name}`];
    case 'deleteTrait':
      return ['DELETE', `/traits/${write.name}`];
    case 'createClass':
      return ['PUT', `/resource_classes/${write.name}`];
    case 'deleteClass':
      return ['DELETE', `/resource_classes/${write.name}`];
  }
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
  const inventories = providers.map((each) => {
    const resource_provider_generation = providerGeneration(state, each);
    return [each.provider, { inventories: each.inventories, resource_provider_generation }] as const;
  });
  return { inventories: Object.fromEntries(inventories), allocations: allocations(state, consumers) };
}
