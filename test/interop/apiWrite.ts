import type { Api } from '../support/api.js';
import { inputTypeOf, withReferences } from '../support/references.js';
import type { InventoryRecord } from '../support/forest.js';
import type { State } from './state.js';
import { verdictOfApi, type Verdict } from './verdicts.js';
import {
  consumerGeneration,
  providerGeneration,
  type ConsumerWrite,
  type ProviderDetail,
  type Write,
} from './write.js';

/** Asks this server for a write, with the generations of this state. */
export async function writeByApi(api: Api, state: State, write: Write): Promise<Verdict> {
  const [mutation, input] = mutationOf(state, write);
  return verdictOfApi(
    await api.mutate<{ __typename: string; code?: string }>(
      mutation,
      withReferences(inputTypeOf(mutation), input),
    ),
  );
}

function mutationOf(state: State, write: Write): [string, object] {
  switch (write.kind) {
    case 'createProvider': {
      const { provider: uuid, name, parent } = write;
      return ['createResourceProvider', { uuid, name, parent }];
    }
    case 'updateProvider': {
      const { provider: resourceProvider, name, parent } = write;
      return ['updateResourceProvider', { resourceProvider, name, parent: parent ?? { none: true } }];
    }
    case 'deleteProvider':
      return ['deleteResourceProvider', { resourceProvider: write.provider }];
    case 'setAllocations':
      return ['setAllocations', { consumers: consumers(state, write.consumers) }];
    case 'deleteAllocations':
      return ['deleteConsumer', { consumer: write.consumer }];
    case 'reshape': {
      const inventories = write.providers.map((each) => ({
        resourceProvider: each.provider,
        generation: providerGeneration(state, each),
        inventories: inventoriesOf(each.inventories),
      }));
      return ['reshape', { inventories, allocations: consumers(state, write.consumers) }];
    }
    case 'createTrait':
    case 'deleteTrait':
      return [write.kind, { name: write.name }];
    case 'createClass':
      return ['createResourceClass', { name: write.name }];
    case 'deleteClass':
      return ['deleteResourceClass', { name: write.name }];
    case 'setInventories':
    case 'setInventory':
    case 'deleteInventory':
    case 'setTraits':
    case 'setAggregates':
      return ['updateResourceProvider', { resourceProvider: write.provider, ...editOf(state, write) }];
  }
}

function editOf(state: State, write: ProviderDetail): object {
  if (write.kind === 'deleteInventory') return { inventories: { remove: [write.resourceClass] } };
  const generation = providerGeneration(state, write);
  switch (write.kind) {
    case 'setInventories':
      return { generation, inventories: { set: inventoriesOf(write.inventories) } };
    case 'setInventory':
      return { generation, inventories: { add: inventoriesOf({ [write.resourceClass]: write.inventory }) } };
    case 'setTraits':
      return { generation, traits: { set: write.traits } };
    case 'setAggregates':
      return { generation, aggregates: { set: write.aggregates } };
  }
}

function consumers(state: State, writes: readonly ConsumerWrite[]): object[] {
  return writes.map((write) => ({
    consumer: write.consumer,
    generation: consumerGeneration(state, write),
    projectId: write.project,
    userId: write.user,
    type: write.type,
    allocations: Object.entries(write.allocations).map(([resourceProvider, resources]) => ({
      resourceProvider,
      resources: Object.entries(resources).map(([resourceClass, amount]) => ({ resourceClass, amount })),
    })),
  }));
}

function inventoriesOf(records: Record<string, InventoryRecord>): object[] {
  return Object.entries(records).map(([resourceClass, record]) => ({
    resourceClass,
    total: record.total,
    reserved: record.reserved,
    minUnit: record.min_unit,
    maxUnit: record.max_unit,
    stepSize: record.step_size,
    allocationRatio: record.allocation_ratio,
  }));
}
