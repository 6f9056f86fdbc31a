import type { Api } from '../support/api.js';
import { amounts } from '../support/claims.js';
import { inputTypeOf, withReferences } from '../support/references.js';
import type { InventoryRecord } from '../support/forest.js';
import type { State } from './state.js';
import { amountsOf } from './values.js';
import { verdictOfApi, type Verdict } from './verdicts.js';
import { consumerGeneration, providerGeneration, type ConsumerWrite, type Write } from './write.js';

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
    case 'createProvider':
      return ['createResourceProvider', { uuid: write.provider, name: write.name, parent: write.parent }];
    case 'updateProvider':
      return update(state, write, { name: write.name, parent: write.parent ?? { none: true } });
    case 'deleteProvider':
      return ['deleteResourceProvider', { resourceProvider: write.provider }];
    case 'setInventories':
      return update(state, write, { inventories: { set: inventoriesOf(write.inventories) } });
    case 'setInventory': {
      const add = inventoriesOf({ [write.resourceClass]: write.inventory });
      return update(state, write, { inventories: { add } });
    }
    case 'deleteInventory':
      return update(state, write, { inventories: { remove: [write.resourceClass] } });
    case 'setTraits':
      return update(state, write, { traits: { set: write.traits } });
    case 'setAggregates':
      return update(state, write, { aggregates: { set: write.aggregates } });
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
  }
}

/** An edit of a provider, with a generation if the write sends one. */
function update(
  state: State,
  write: { readonly provider: string; readonly isStale?: boolean },
  edit: object,
): [string, object] {
  const { provider, isStale } = write;
  const generation = isStale === undefined ? undefined : providerGeneration(state, { provider, isStale });
  return ['updateResourceProvider', { resourceProvider: provider, generation, ...edit }];
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
      resources: amounts(resources),
    })),
  }));
}

function inventoriesOf(records: Record<string, InventoryRecord>): object[] {
  return Object.entries(records).map(([resourceClass, record]) => ({
    resourceClass,
    ...amountsOf(record),
  }));
}
