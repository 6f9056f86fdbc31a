import type { ProviderFields } from './provider.js';

/** The source objects of the resolvers of ResourceProvider, Consumer and Allocation. */

/**
 * A provider that was read as a row has dates. A provider from a snapshot has its parent and root
 * instead, so that they need no read.
 */
export interface ProviderEntity extends ProviderFields {
  /** Undefined: not read yet. Null: the row has none. */
  readonly createdAt?: Date | null;
  readonly updatedAt?: Date | null;
  readonly parent?: ProviderEntity | null;
  readonly root?: ProviderEntity;
}

/** An object with the id of its row, which orders objects by age. */
export type Stored<T> = T & { readonly id: number };

export interface ConsumerEntity {
  readonly uuid: string;
  readonly generation: number;
  /** Null: untyped (rule 87). */
  readonly consumerType: string | null;
  /** Empty if another program has left the consumer without its project or user. */
  readonly projectId: string;
  readonly userId: string;
  /** When the consumer ends by itself. Undefined: not read yet. Null: it does not. */
  readonly expiresAt?: Date | null;
  /** Undefined: not read yet. Null: the row has none. */
  readonly createdAt?: Date | null;
  readonly updatedAt?: Date | null;
}

export interface AllocationEntity {
  readonly consumer: ConsumerEntity;
  readonly provider: ProviderEntity;
  /** The name of the class. */
  readonly resourceClass: string;
  readonly used: number;
}
