import type { AllocationEntity, ConsumerEntity, ProviderEntity } from '../reads/entities.js';
import { builder } from './builder.js';
import type { InventoryRow } from '../reads/provider/details.js';

/*
 * The types that name each other. Each is filled in by the file of its noun; what a resolver gets of an
 * object is the type parameter here.
 */
export const ResourceProvider = builder.objectRef<ProviderEntity>('ResourceProvider');
export const Inventory = builder.objectRef<InventoryRow & { readonly provider: ProviderEntity }>('Inventory');
export const ResourceClass = builder.objectRef<{ readonly name: string }>('ResourceClass');
export const Trait = builder.objectRef<{ readonly name: string }>('Trait');
export const Aggregate = builder.objectRef<{ readonly uuid: string }>('Aggregate');
export const Consumer = builder.objectRef<ConsumerEntity>('Consumer');
export const Allocation = builder.objectRef<AllocationEntity>('Allocation');
