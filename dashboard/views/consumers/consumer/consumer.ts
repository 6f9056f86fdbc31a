import type { ConsumerQuery } from '../../../generated/consumers/operations';

/** A consumer with all that it has. */
export type Consumer = NonNullable<ConsumerQuery['consumer']>;
