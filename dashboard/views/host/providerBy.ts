import { prefixedName } from '../../components/hostPath';
import { isUuid } from '../../components/uuid';
import type { ProviderRef } from '../../generated/host/operations';

/** Returns a reference to the provider that an address names by uuid or name. `name=` precedes some names. */
export function providerBy(inPath: string): ProviderRef {
  const name = prefixedName(inPath);
  return name === null && isUuid(inPath) ? { uuid: inPath } : { name: name ?? inPath };
}
