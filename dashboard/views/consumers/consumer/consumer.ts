import type { ConsumerQuery } from '../../../generated/consumers/operations';

/** A consumer with all fields of its view. */
export type Consumer = NonNullable<ConsumerQuery['consumer']>;
