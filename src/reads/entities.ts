import type { ProviderFields } from '../domain/provider.js';

/** What the resolvers of ResourceProvider, Consumer and Allocation start from. */

/**
 * A provider that was read as a row has its dates; one that stands for a provider in a snapshot brings its
 * parent and root along instead, so that naming them costs no read.
 */
export interface ProviderEntity extends ProviderFields {
  /** Undefined: not read yet. Null: the row has none. */
  readonly createdAt?: Date | null;
  readonly updatedAt?: Date | null;
  readonly parent?: ProviderEntity | null;
  readonly root?: ProviderEntity;
}

export interface ConsumerEntity {
  readonly uuid: string;
  readonly generation: number;
  /** Null: untyped (rule 87). */
  readonly consumerType: string | null;
  /** Empty where another writer has left a consumer without its project or user. */
  readonly projectId: string;
  readonly userId: string;
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
