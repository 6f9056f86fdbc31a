import { capacityOf, LARGEST_INTEGER, InvalidInput, normalizeUuid } from '../../model/input.js';
import type { InventoryFields } from '../../model/provider.js';
import { InventoryExists, InventoryInUse, NotFound } from '../../model/rejections.js';
import type { InventoriesEdit } from '../../store/ledger/inventory/inventoryEdits.js';
import type { WrittenProvider } from '../../store/ledger/provider/updateProvider.js';
import { latestChange, type RestAnswer, type RestRequest } from './answer.js';
import { has } from './microversion.js';
import { editProvider, providerOfPath, providerWith } from './providers.js';
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

type NamedInventory = Inventory & Pick<InventoryFields, 'resourceClass'>;

export async function list(request: RestRequest): Promise<RestAnswer> {
  const { provider, details } = await providerWith(request, request.context.reads.withInventories);
  return answerWith(provider, details, latestChange(details));
}

export async function show(request: RestRequest): Promise<RestAnswer> {
  const { uuid, resource_class: name } = request.params;
  const { provider, details } = await providerWith(request, request.context.reads.withInventories);
  const found = details.find(({ resourceClass }) => resourceClass === name);
  if (found === undefined) throw new RestError(404, `No inventory of class ${name} for ${uuid}`);
  return answerWithOne(provider, found, latestChange([found]));
}

export async function create(request: RestRequest<CreateInventoryBody>): Promise<RestAnswer> {
  const { resource_class: name, ...body } = request.body;
  const unable = `Unable to create inventory for resource provider ${uuidOf(request)}:`;
  const inventory = { resourceClass: name, ...inventoryOf(body) };
  await checkReserved([inventory], unable, request);
  const provider = await naming(write(request, { create: [inventory] }), (error) => {
    if (error instanceof InventoryExists)
      return new RestError(409, `Update conflict: ${error.message}`, REST_CODES.concurrentUpdate);
    return error instanceof InvalidInput ? `${unable} ${reasonOf(error)}` : null;
  });
  const location = `/resource_providers/${provider.uuid}/inventories/${name}`;
  return { ...answerWithOne(provider, inventory, new Date()), status: 201, location };
}

export async function replaceAll(request: RestRequest<ReplaceInventoriesBody>): Promise<RestAnswer> {
  const { resource_provider_generation: generation, inventories } = request.body;
  const uuid = uuidOf(request);
  const unable = `Unable to update inventory for resource provider ${uuid}:`;
  const set = Object.entries(inventories).map(([resourceClass, body]) => ({
    resourceClass,
    ...inventoryOf(body),
  }));
  await checkReserved(set, unable, request);
  const provider = await naming(write(request, { set }, generation), (error) => {
    if (!(error instanceof InvalidInput)) return null;
    return error.unknown
      ? `Unknown resource class in inventory for resource provider ${uuid}: ${reasonOf(error)}`
      : `${unable} ${reasonOf(error)}`;
  });
  return answerWith(provider, set, new Date());
}

export async function replace(request: RestRequest<ReplaceInventoryBody>): Promise<RestAnswer> {
  const { resource_class: name } = request.params;
  const { resource_provider_generation: generation, ...body } = request.body;
  const uuid = uuidOf(request);
  const unable = `Unable to update inventory for resource provider ${uuid}:`;
  const inventory = { resourceClass: name, ...inventoryOf(body) };
  await checkReserved([inventory], unable, request);
  const provider = await naming(write(request, { patch: [inventory] }, generation), (error) => {
    if (error instanceof InvalidInput)
      return error.unknown
        ? new RestError(404, `No such resource class ${name}.`)
        : `${unable} ${reasonOf(error)}`;
    return isMissing(error, name)
      ? `No inventory record with resource class for resource provider ${uuid}: ${error.message}`
      : null;
  });
  return answerWithOne(provider, inventory, new Date());
}

export async function removeAll(request: RestRequest): Promise<RestAnswer> {
  await write(request, { set: [] });
  return { status: 204 };
}

export async function remove(request: RestRequest): Promise<RestAnswer> {
  const { resource_class: name } = request.params;
  await naming(write(request, { remove: [name] }), (error) => {
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
  request: RestRequest,
  inventories: InventoriesEdit,
  generation?: number,
): Promise<WrittenProvider> {
  return editProvider(request, { generation, inventories, step: 1 });
}

/** Returns the uuid of the path in its usual spelling. */
function uuidOf({ params: { uuid } }: RestRequest): string {
  return normalizeUuid(uuid) ?? uuid;
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
async function checkReserved(
  inventories: readonly NamedInventory[],
  unable: string,
  request: RestRequest,
): Promise<void> {
  const mayBeEqual = has.reservedEqualToTotal(request.version);
  const wrong = inventories.find(({ total, reserved, allocationRatio }) => {
    const capacity = capacityOf(total, reserved, allocationRatio);
    return reserved < total ? !mayBeEqual && capacity <= 0 : !mayBeEqual || reserved !== total;
  });
  if (wrong === undefined) return;
  await providerOfPath(request); // its absence comes first
  const than = mayBeEqual ? 'greater than total' : 'greater than or equal to total';
  throw new RestError(400, `${unable} the reserved amount of ${wrong.resourceClass} is ${than}.`);
}

function reasonOf({ unknown, message }: InvalidInput): string {
  return unknown === null ? message : `No such ${unknown.kind} ${unknown.name}.`;
}

function isMissing(error: unknown, resourceClass: string): error is NotFound {
  return error instanceof NotFound && error.entity === 'INVENTORY' && error.key === resourceClass;
}

function answerWith(
  { generation }: WrittenProvider,
  inventories: readonly NamedInventory[],
  lastModified: Date,
): RestAnswer {
  const bodies = Object.fromEntries(inventories.map((each) => [each.resourceClass, bodyOf(each)]));
  return {
    status: 200,
    body: { resource_provider_generation: generation, inventories: bodies },
    lastModified,
  };
}

function answerWithOne(
  { generation }: WrittenProvider,
  inventory: Inventory,
  lastModified: Date,
): RestAnswer {
  return {
    status: 200,
    body: { ...bodyOf(inventory), resource_provider_generation: generation },
    lastModified,
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
  const { provider, details } = await providerWith(request, request.context.reads.withUsages);
  const used = Object.fromEntries(details.map(({ resourceClass, used }) => [resourceClass, used]));
  return {
    status: 200,
    body: { resource_provider_generation: provider.generation, usages: used },
    lastModified: new Date(),
  };
}
