import type { ReadableDatabase } from '../../database/database.js';
import type { ConsumerFiguresSource } from '../../domain/listing/consumerFigures.js';
import type { OrderEntry } from '../../domain/listing/listOrder.js';
import type { SortPlace } from '../../domain/listing/sortKeys.js';
import type { ConsumerRow } from './consumerRow.js';

/** Which consumers to list. All given conditions must hold. */
export interface ConsumerFilter {
  readonly projectId?: string | null;
  readonly userId?: string | null;
  /** The name of a type; null: untyped; undefined: of every type. */
  readonly consumerType?: string | null;
  /** Consumers with an allocation in the tree that this provider is in. */
  readonly inTree?: string | null;
  /** Consumers with an allocation of this class, in that tree. */
  readonly resourceClass?: string | null;
  readonly uuidIn?: readonly string[] | null;
}

/** What consumers can be ordered by. */
export const CONSUMER_ORDER_FIELDS = [
  'AGE',
  'UPDATED_AT',
  'PROJECT_ID',
  'USER_ID',
  'CONSUMER_TYPE',
  'USED',
] as const;
export type ConsumerOrder = OrderEntry<(typeof CONSUMER_ORDER_FIELDS)[number]>;

export interface ListedConsumer extends ConsumerRow {
  readonly place: SortPlace;
}

/** What lists of consumers are read from. */
export interface ConsumerListSource {
  readonly database: ReadableDatabase;
  readonly consumers: ConsumerFiguresSource;
}
