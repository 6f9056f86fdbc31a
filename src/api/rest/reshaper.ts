import { NoInventory, NotFound, ReshapeRefused, InventoryInUse } from '../../model/rejections.js';
import {
  reshape as writeReshape,
  type ProviderInventoriesInput,
} from '../../store/ledger/reshape/reshape.js';
import type { Context } from '../context.js';
import { consumersOf, namingObjects, usualSpelling } from './allocations.js';
import type { RestAnswer, RestRequest } from './answer.js';
import { inventoryOf } from './inventories.js';
import { REST_CODES } from '../../model/errors.js';
import { naming, RestError, unableToAllocate } from './restErrors.js';
import type { ReshapeBody } from './schemas/reshaper.js';

export async function reshape({ body, version, context }: RestRequest<ReshapeBody>): Promise<RestAnswer> {
  const inventories = Object.entries(body.inventories).map(([provider, given]): ProviderInventoriesInput => ({
    resourceProvider: usualSpelling(provider),
    generation: given.resource_provider_generation,
    inventories: Object.entries(given.inventories).map(([resourceClass, amounts]) => ({
      resourceClass,
      ...inventoryOf(amounts),
    })),
  }));
  const allocations = consumersOf(body.allocations, version);
  try {
    const work = writeReshape(context.ledger, { inventories, allocations }, 'NAMED');
    await namingObjects(namingProviders(work, inventories));
  } catch (error) {
    if (!(error instanceof ReshapeRefused)) throw error;
    throw await refusalOf(error, inventories, context);
  }
  return { status: 204 };
}

/** Rejects with the errors of a write. Providers of inventories that do not exist have a code of their own. */
function namingProviders<T>(work: Promise<T>, inventories: readonly ProviderInventoriesInput[]): Promise<T> {
  return naming(work, (error) => {
    const isOfInventories =
      error instanceof NotFound && inventories.some(({ resourceProvider }) => resourceProvider === error.key);
    if (!isOfInventories) return null;
    const text = `Resource provider ${error.key} in inventories not found: ${error.message}`;
    return new RestError(400, text, REST_CODES.providerNotFound);
  });
}

/**
 * Returns the error of one violation, as OpenStack Placement would find it first: it checks the allocations before it
 * removes inventories.
 */
async function refusalOf(
  { violations }: ReshapeRefused,
  inventories: readonly ProviderInventoriesInput[],
  { loaders }: Context,
): Promise<RestError> {
  for (const { rejection } of violations) {
    const isRemoved =
      rejection instanceof NoInventory && (await hasInventory(rejection, inventories, loaders));
    if (!(rejection instanceof InventoryInUse) && !isRemoved)
      return new RestError(409, unableToAllocate(rejection.message));
  }
  return new RestError(409, `update conflict: ${violations[0].rejection.message}`, REST_CODES.inventoryInUse);
}

/** Returns whether the missing inventory is stored, so that the reshape would remove it. */
async function hasInventory(
  { resourceProviderUuid: uuid, resourceClassName: name }: NoInventory,
  inventories: readonly ProviderInventoriesInput[],
  loaders: Context['loaders'],
): Promise<boolean> {
  if (!inventories.some(({ resourceProvider }) => resourceProvider === uuid)) return false;
  const provider = await loaders.providers.byUuid(uuid);
  const stored = provider === null ? [] : await loaders.inventories.of(provider);
  return stored.some(({ resourceClass }) => resourceClass === name);
}
