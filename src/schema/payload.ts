import { NotFound } from '../ledger/errors.js';
import { builder } from './builder.js';
import type { Context } from './context.js';
import { createLoaders } from '../reads/loaders.js';
import type { ProviderSource } from '../reads/provider/providerSource.js';
import { ResourceProvider } from './refs.js';

/** The payload type of a mutation that answers with the provider it changed. */
export function providerPayload(name: string, description: string) {
  return builder.objectRef<ProviderSource>(name).implement({
    description,
    fields: (t) => ({
      resourceProvider: t.field({
        type: ResourceProvider,
        description: 'The provider as it is after the change.',
        resolve: (provider) => provider,
      }),
    }),
  });
}

/** What the operation reads from now on is read afresh, so that a payload shows what was written. */
export function renewLoaders(context: Context): void {
  context.loaders = createLoaders(context.database, context.reads);
}

/** Reads the provider that was just written, afresh. NotFound when a rival has deleted it since. */
export async function writtenProvider(
  { uuid }: { readonly uuid: string },
  context: Context,
): Promise<ProviderSource> {
  renewLoaders(context);
  const provider = await context.loaders.providers.byUuid(uuid);
  if (!provider) throw new NotFound('RESOURCE_PROVIDER', uuid);
  return provider;
}
