import { dateOf } from '../store/sql/statements.js';
import type { ConsumerEntity } from '../model/entities.js';
import type { ProviderFields } from '../model/provider.js';

export const DATES = {
  createdAt: 'The time of creation. Null if unrecorded.',
  updatedAt: 'The time of the last change. Null if unrecorded.',
};

/**
 * The nullable columns of providers that only clients read, by field. The statements that read providers, the type of
 * their source object and their fields are derived.
 */
export const ROW_FIELDS = {
  createdAt: { column: 'created_at', type: 'DateTime', description: DATES.createdAt, valueOf: dateOf },
  updatedAt: { column: 'updated_at', type: 'DateTime', description: DATES.updatedAt, valueOf: dateOf },
} as const;

export type RowField = keyof typeof ROW_FIELDS;

/** Undefined: not read yet. Null: the row has none. */
type RowValues = { readonly [Name in RowField]?: ReturnType<(typeof ROW_FIELDS)[Name]['valueOf']> };

/**
 * The source object of the resolvers of ResourceProvider. A provider that was read as a row has its row fields. A provider
 * from a snapshot has its parent and root instead, so that they need no read.
 */
export interface ProviderEntity extends ProviderFields, RowValues {
  readonly parent?: ProviderEntity | null;
  readonly root?: ProviderEntity;
}

/** The source object of the resolvers of Allocation. */
export interface AllocationEntity {
  readonly consumer: ConsumerEntity;
  readonly provider: ProviderEntity;
  /** The name of the class. */
  readonly resourceClass: string;
  readonly used: number;
}
