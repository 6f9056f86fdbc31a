import { capacityOf, LARGEST_INTEGER, InvalidInput } from '../../model/input.js';
import type { InventoryFields } from '../../model/provider.js';
import { InventoryExists, InventoryInUse, NotFound } from '../../model/rejections.js';
import type { InventoriesEdit } from '../../store/ledger/inventory/inventoryEdits.js';
import { updateProvider } from '../../store/ledger/provider/updateProvider.js';
import type { ProviderEntity } from '../entities.js';
import { latestChange, type RestAnswer, type RestRequest } from './answer.js';
import { has } from './microversion.js';
import { providerOfPath, refreshed } from './providers.js';
import { REST_CODES } from '../../model/errors.js';
import { naming, RestError } from './restErrors.js';
import type {
  AmountsBody,
  CreateInventoryBody,
  ReplaceInventoriesBody,
  ReplaceInventoryBody,
} from './schemas/inventories.js';

type Inventory = Pick<
  InventoryFields,
  'total' | 'reserved' | 'minUnit' | 'maxUnit' | 'stepSize' | 'allocationRatio'
>;

export async function list(request: RestRequest): Promise<RestAnswer> {
  return answerWith(await providerOfPath(request), request);
}

export async function show(request: RestRequest): Promise<RestAnswer> {
  return answerWithOne(await providerOfPath(request), request, request.params.resource_class);
}

export async function create(request: RestRequest<CreateInventoryBody>): Promise<RestAnswer> {
  const provider = await providerOfPath(request);
  const { resource_class: name, ...body } = request.body;
  const unable = `Unable to create inventory for resource provider ${provider.uuid}:`;
  const inventory = { resourceClass: name, ...inventoryOf(body) };
  checkReserved(inventory, unable, request.version);
  await naming(write(provider, { create: [inventory] }, request), (error) => {
    if (error instanceof InventoryExists)
      return new RestError(409, `Update conflict: ${error.message}`, REST_CODES.concurrentUpdate);
    return error instanceof InvalidInput ? `${unable} ${reasonOf(error)}` : null;
  });
  const answer = await answerWithOne(await refreshed(provider, request), request, name);
  return { ...answer, status: 201, location: `/resource_providers/${provider.uuid}/inventories/${name}` };
}

export async function replaceAll(request: RestRequest<ReplaceInventoriesBody>): Promise<RestAnswer> {
  const provider = await providerOfPath(request);
  const { resource_provider_generation: generation, inventories } = request.body;
  const unable = `Unable to update inventory for resource provider ${provider.uuid}:`;
  const set = Object.entries(inventories).map(([resourceClass, body]) => ({
    resourceClass,
    ...inventoryOf(body),
  }));
  for (const inventory of set) checkReserved(inventory, unable, request.version);
  await naming(write(provider, { set }, request, generation), (error) => {
    if (!(error instanceof InvalidInput)) return null;
    return error.unknown
      ? `Unknown resource class in inventory for resource provider ${provider.uuid}: ${reasonOf(error)}`
      : `${unable} ${reasonOf(error)}`;
  });
  return answerWith(await refreshed(provider, request), request);
}

export async function replace(request: RestRequest<ReplaceInventoryBody>): Promise<RestAnswer> {
  const provider = await providerOfPath(request);
  const { resource_class: name } = request.params;
  const { resource_provider_generation: generation, ...body } = request.body;
  const unable = `Unable to update inventory for resource provider ${provider.uuid}:`;
  const inventory = { resourceClass: name, ...inventoryOf(body) };
  checkReserved(inventory, unable, request.version);
  await naming(write(provider, { patch: [inventory] }, request, generation), (error) => {
    if (error instanceof InvalidInput) return `${unable} ${reasonOf(error)}`;
    return isMissing(error, name)
      ? `No inventory record with resource class for resource provider ${provider.uuid}: ${error.message}`
      : null;
  });
  return answerWithOne(await refreshed(provider, request), request, name);
}

export async function removeAll(request: RestRequest): Promise<RestAnswer> {
  await write(await providerOfPath(request), { set: [] }, request);
  return { status: 204 };
}

export async function remove(request: RestRequest): Promise<RestAnswer> {
  const { resource_class: name } = request.params;
  const provider = await providerOfPath(request);
  await naming(write(provider, { remove: [name] }, request), (error) => {
    const isUnknown = error instanceof InvalidInput && error.unknown !== null;
    if (isUnknown || isMissing(error, name))
      return new RestError(404, `No inventory of class ${name} found for delete: ${error.message}`);
    if (!(error instanceof InventoryInUse)) return null;
    const text = `Unable to delete inventory of class ${name}: ${error.message}`;
    return new RestError(409, text, REST_CODES.concurrentUpdate);
  });
  return { status: 204 };
}

/** Writes inventories. Each write counts, even if it changes nothing (decision D26). */
function write(
  { uuid }: ProviderEntity,
  inventories: InventoriesEdit,
  { context }: RestRequest,
  generation?: number,
): Promise<unknown> {
  return updateProvider(context.ledger, { resourceProvider: uuid, generation, inventories, step: 1 });
}

export function inventoryOf({
  total,
  reserved = 0,
  min_unit: minUnit = 1,
  max_unit: maxUnit = LARGEST_INTEGER,
  step_size: stepSize = 1,
  allocation_ratio: allocationRatio = 1,
}: AmountsBody): Inventory {
  return { total, reserved, minUnit, maxUnit, stepSize, allocationRatio };
}

/** Rejects a reserved amount that leaves no capacity, in versions that do not allow that. */
function checkReserved(
  { resourceClass, total, reserved, allocationRatio }: Inventory & { readonly resourceClass: string },
  unable: string,
  version: number,
): void {
  const mayBeEqual = has.reservedEqualToTotal(version);
  const capacity = capacityOf(total, reserved, allocationRatio);
  if (reserved < total ? mayBeEqual || capacity > 0 : mayBeEqual && reserved === total) return;
  const than = mayBeEqual ? 'greater than total' : 'greater than or equal to total';
  throw new RestError(400, `${unable} the reserved amount of ${resourceClass} is ${than}.`);
}

function reasonOf({ unknown, message }: InvalidInput): string {
  return unknown === null ? message : `No such ${unknown.kind} ${unknown.name}.`;
}

function isMissing(error: unknown, resourceClass: string): error is NotFound {
  return error instanceof NotFound && error.entity === 'INVENTORY' && error.key === resourceClass;
}

async function answerWith(provider: ProviderEntity, { context }: RestRequest): Promise<RestAnswer> {
  const rows = await context.loaders.inventories.of(provider);
  const inventories = Object.fromEntries(rows.map((row) => [row.resourceClass, bodyOf(row)]));
  return {
    status: 200,
    body: { resource_provider_generation: provider.generation, inventories },
    lastModified: latestChange(rows),
  };
}

async function answerWithOne(
  provider: ProviderEntity,
  { context, params }: RestRequest,
  name: string,
): Promise<RestAnswer> {
  const rows = await context.loaders.inventories.of(provider);
  const row = rows.find(({ resourceClass }) => resourceClass === name);
  if (row === undefined) throw new RestError(404, `No inventory of class ${name} for ${params.uuid}`);
  return {
    status: 200,
    body: { ...bodyOf(row), resource_provider_generation: provider.generation },
    lastModified: latestChange([row]),
  };
}

function bodyOf({ total, reserved, minUnit, maxUnit, stepSize, allocationRatio }: Inventory): object {
  return {
    total,
    reserved,
    min_unit: minUnit,
    max_unit: maxUnit,
    step_size: stepSize,
    allocation_ratio: allocationRatio,
  };
}

/** Shows the used amount of each inventory of a provider. */
export async function usages(request: RestRequest): Promise<RestAnswer> {
  const provider = await providerOfPath(request);
  const rows = await request.context.loaders.inventories.of(provider);
  const used = Object.fromEntries(rows.map(({ resourceClass, used }) => [resourceClass, used]));
  return {
    status: 200,
    body: { resource_provider_generation: provider.generation, usages: used },
    lastModified: new Date(),
  };
}
