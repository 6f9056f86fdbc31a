import { isUuid } from '../../components/uuid';
import type { ProviderRef } from '../../generated/host/operations';

/** Returns a reference to the provider that an address names by uuid or name. */
export const providerBy = (uuidOrName: string): ProviderRef =>
  isUuid(uuidOrName) ? { uuid: uuidOrName } : { name: uuidOrName };
