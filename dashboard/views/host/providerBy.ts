import { isUuid } from '../../components/uuid';
import type { ProviderRef } from '../../generated/host/operations';

/** Finds a provider by what an address calls it: its uuid or its name. */
export const providerBy = (uuidOrName: string): ProviderRef =>
  isUuid(uuidOrName) ? { uuid: uuidOrName } : { name: uuidOrName };
