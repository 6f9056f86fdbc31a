import { NotFound } from '../ledger/errors.js';
import { builder } from './builder.js';
import type { Context } from './context.js';
import { createLoaders } from '../reads/loaders.js';
import type { ProviderEntity } from '../reads/entities.js';
import { ResourceProvider } from './refs.js';

/** The payload type of a mutation that answers with the provider it changed. */
export function providerPayload(name: string, description: string) {
  return builder.objectRef<ProviderEntity>(name).implement({
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

/** Forgets what the operation has read, so that a payload shows what was written. */
export function resetLoaders(context: Context): void {
  context.loaders = createLoaders(context.database, context.reads);
}

/**
 * Reads the provider that was just written, afresh. NotFound when a concurrent writer has deleted it since.
 */
export async function writtenProvider(
  { uuid }: { readonly uuid: string },
  context: Context,
): Promise<ProviderEntity> {
  resetLoaders(context);
  const provider = await context.loaders.providers.byUuid(uuid);
  if (!provider) throw new NotFound('RESOURCE_PROVIDER', uuid);
  return provider;
}
