import type { ConsumerSource } from './consumerSource.js';
import type { ProviderSource } from '../provider/providerSource.js';

/** What an Allocation resolver starts from: both ends are at hand, read in the same statement or before. */
export interface AllocationSource {
  readonly consumer: ConsumerSource;
  readonly provider: ProviderSource;
  /** The name of the class. */
  readonly resourceClass: string;
  readonly used: number;
}
