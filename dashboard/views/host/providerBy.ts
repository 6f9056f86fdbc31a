import { isUuid } from '../../components/uuid';
import type { ResourceProviderBy } from '../../generated/host/operations';

/** Finds a provider by what an address calls it: its uuid or its name. */
export const providerBy = (uuidOrName: string): ResourceProviderBy =>
  isUuid(uuidOrName) ? { uuid: uuidOrName } : { name: uuidOrName };
