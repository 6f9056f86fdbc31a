import type { AllocationSource } from '../reads/consumer/allocationSource.js';
import { builder } from './builder.js';
import type { ConsumerSource } from '../reads/consumer/consumerSource.js';
import type { InventoryRow } from '../reads/provider/details.js';
import type { ProviderSource } from '../reads/provider/providerSource.js';

/*
 * The types that name each other. Each is filled in by the file of its noun; what a resolver gets of an object is
 * the type parameter here.
 */
export const ResourceProvider = builder.objectRef<ProviderSource>('ResourceProvider');
export const Inventory = builder.objectRef<InventoryRow & { readonly provider: ProviderSource }>('Inventory');
export const ResourceClass = builder.objectRef<{ readonly name: string }>('ResourceClass');
export const Trait = builder.objectRef<{ readonly name: string }>('Trait');
export const Aggregate = builder.objectRef<{ readonly uuid: string }>('Aggregate');
export const Consumer = builder.objectRef<ConsumerSource>('Consumer');
export const Allocation = builder.objectRef<AllocationSource>('Allocation');
