import { FindProviderDocument, type ResourceProviderBy } from '../../../generated/client/operations.js';
import type { Client } from '../connection/client.js';
import { Failure } from '../connection/failure.js';

const UUID = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** A provider is named by its uuid or by its name; what looks like a uuid is one. */
export function providerBy(text: string): ResourceProviderBy {
  return isUuid(text) ? { uuid: text } : { name: text };
}

function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The provider that this text names. */
export async function findProvider(client: Client, text: string) {
  const { resourceProvider } = await client.run(FindProviderDocument, { by: providerBy(text) });
  return known(resourceProvider, text);
}

/** The uuid of the provider that this text names. */
export async function providerUuid(client: Client, text: string): Promise<string> {
  return isUuid(text) ? text : (await findProvider(client, text)).uuid;
}

/** What was read of a provider. */
export function known<Provider>(provider: Provider | null | undefined, text: string): Provider {
  if (provider == null) throw Failure.notFound(`there is no resource provider "${text}"`);
  return provider;
}
