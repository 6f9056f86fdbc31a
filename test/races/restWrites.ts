import type { RestRequest } from '../support/httpPost.js';
import { projectOf, type Offer, type Wanted } from './writeLog.js';

/** The last version without types of consumers. */
const version = 37;

type PartialOffer = Pick<Offer, 'resourceClass' | 'total'> & Partial<Offer>;

/** Returns the writes of a load as requests of the REST API. */
export function allocationsRequest(consumers: readonly Wanted[], number: number): RestRequest {
  return { method: 'POST', path: '/allocations', body: consumersBody(consumers, number), version };
}

function consumersBody(consumers: readonly Wanted[], number: number): object {
  const owner = { project_id: projectOf(number), user_id: 'racer' };
  return Object.fromEntries(
    consumers.map(({ consumer, generation, amounts }) => {
      const all = Object.entries(amounts).map(([provider, resources]) => [provider, { resources }]);
      return [
        consumer,
        { allocations: Object.fromEntries(all) as object, consumer_generation: generation, ...owner },
      ];
    }),
  );
}

/** @param edit the whole set of inventories, or an inventory that the provider has */
export function inventoriesRequest(
  provider: string,
  generation: number,
  edit: { readonly set?: readonly PartialOffer[]; readonly add?: readonly PartialOffer[] },
): RestRequest {
  const path = `/resource_providers/${provider}/inventories`;
  if (edit.set) return { method: 'PUT', path, body: providerBody(generation, edit.set) };
  const [offer] = edit.add!;
  const body = { ...inventoryBody(offer), resource_provider_generation: generation };
  return { method: 'PUT', path: `${path}/${offer.resourceClass}`, body };
}

interface ProviderInventories {
  readonly resourceProvider: { readonly uuid: string };
  readonly generation: number;
  readonly inventories: readonly object[];
}

export function reshapeRequest(
  providers: readonly ProviderInventories[],
  consumers: readonly Wanted[],
  number: number,
): RestRequest {
  const inventories = providers.map(({ resourceProvider: { uuid }, generation, inventories: offers }) => [
    uuid,
    providerBody(generation, offers as readonly PartialOffer[]),
  ]);
  const body = {
    inventories: Object.fromEntries(inventories) as object,
    allocations: consumersBody(consumers, number),
  };
  return { method: 'POST', path: '/reshaper', body, version };
}

function providerBody(generation: number, offers: readonly PartialOffer[]): object {
  const inventories = offers.map((offer) => [offer.resourceClass, inventoryBody(offer)]);
  return { resource_provider_generation: generation, inventories: Object.fromEntries(inventories) as object };
}

function inventoryBody({
  total,
  reserved,
  minUnit,
  maxUnit,
  stepSize,
  allocationRatio,
}: PartialOffer): object {
  const units = { min_unit: minUnit, max_unit: maxUnit, step_size: stepSize };
  return { total, reserved, ...units, allocation_ratio: allocationRatio };
}
