import type { PlacementPolicy } from '../../src/moves/workload/workload.js';
import type { Offer } from './state.js';

export interface InventoryInput extends Offer {
  resourceClass: string;
}

export interface AllocationInput {
  resourceProvider: string;
  resources: { resourceClass: string; amount: number }[];
}

export interface ConsumerInput {
  consumer: string;
  generation: number | null;
  type: string | null;
  projectId: string;
  userId: string;
  expiresAt: string | null;
  allocations: AllocationInput[];
}

export interface RequestInput {
  groups: {
    suffix: string;
    resources: { resourceClass: string; amount: number }[];
    requiredTraits: string[][];
    forbiddenTraits: string[];
  }[];
}

export interface DesiredInput {
  uuid: string | null;
  name: string;
  generation: number | null;
  inventories: InventoryInput[] | null;
  traits: string[] | null;
  aggregates: string[] | null;
  children: DesiredInput[] | null;
}

interface OfProvider {
  resourceProvider: string;
  generation: number;
}

export interface SetEdit {
  set?: string[];
  add?: string[];
  remove?: string[];
}

export interface InventoriesEdit {
  set?: InventoryInput[];
  add?: InventoryInput[];
  patch?: (Partial<InventoryInput> & { resourceClass: string })[];
  remove?: string[];
}

interface Named {
  name: string;
}

export interface QuotaLimit {
  /** Null: the number of consumers. */
  resourceClass: string | null;
  /** Null removes the limit. */
  limit: number | null;
}

/** The inputs of all mutations, by field. */
export interface Inputs {
  createResourceProvider: {
    name: string;
    uuid: string | null;
    parent: string | null;
    aggregates: string[];
    traits: string[];
    inventories: InventoryInput[];
  };
  updateResourceProvider: {
    resourceProvider: string;
    generation: number | null;
    name: string | null;
    parent: string | { none: boolean } | null;
    aggregates: SetEdit | null;
    traits: SetEdit | null;
    inventories: InventoriesEdit | null;
  };
  deleteResourceProvider: { resourceProvider: string };
  deleteResourceProviders: { resourceProviders: string[]; recursive: boolean; dryRun: boolean };
  nameAggregate: { aggregate: string; name: string | null };
  updateAggregateMembers: { aggregate: string; add: string[]; remove: string[] };
  deleteAggregates: { aggregates: string[] };
  createTrait: Named;
  deleteTrait: Named;
  createResourceClass: Named;
  deleteResourceClass: Named;
  setQuotas: {
    projects: { projectId: string; limits: QuotaLimit[] }[];
    groups: { group: string; projects: string[] | null; limits: QuotaLimit[] }[];
    defaults: QuotaLimit[];
  };
  setAllocations: { consumers: ConsumerInput[] };
  deleteConsumer: { consumer: string };
  extendConsumers: { consumers: { consumer: string; generation: number; expiresAt: string }[] };
  confirmConsumers: { consumers: { consumer: string; generation: number }[] };
  unsetAllocations: {
    consumer: string;
    generation: number | null;
    resourceProviders: string[];
    resourceClasses: string[];
  };
  reshape: {
    inventories: (OfProvider & { inventories: InventoryInput[] })[];
    allocations: ConsumerInput[];
    dryRun: boolean;
  };
  claim: {
    request: RequestInput;
    consumers: (Omit<ConsumerInput, 'allocations'> & {
      keepOldAs: { consumer: string; type: string | null; expiresAt: string | null } | null;
    })[];
    placement: PlacementPolicy;
  };
  rememberRequests: { consumers: string[]; request: RequestInput };
  applyProviderTree: { root: DesiredInput; allocations: ConsumerInput[] | null; dryRun: boolean };
}

export type Field = keyof Inputs;
export type Command = { [F in Field]: { field: F; input: Inputs[F] } }[Field];
