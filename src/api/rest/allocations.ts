import {
  ANY_GENERATION,
  type ConsumerAllocationsInput,
  InvalidInput,
  normalizeUuid,
} from '../../model/input.js';
import { deleteConsumer, setAllocations } from '../../store/ledger/allocation/claimQueue.js';
import { NotFound } from '../../model/rejections.js';
import { readAllocationsOfProvider, type WrittenAllocation } from '../../store/sql/consumers.js';
import { latestChange, type RestAnswer, type RestRequest } from './answer.js';
import { has } from './microversion.js';
import { providerOfPath } from './providers.js';
import { naming, RestError } from './restErrors.js';
import type { AllocationsBody, ConsumersBody, ListedAllocations } from './schemas/allocations.js';

/** The type of a consumer without one. */
const UNKNOWN_TYPE = 'unknown';

/** Lists the allocations of a consumer; none if nobody has the id. */
export async function showConsumer({ params, version, context }: RestRequest): Promise<RestAnswer> {
  const uuid = normalizeUuid(params.consumer);
  const rows =
    uuid === undefined ? [] : await context.reads.allocationsOfConsumers.of([uuid], context.operation);
  const allocations = resourcesBy(rows, ({ provider: key, providerGeneration: generation }) => ({
    key,
    generation,
  }));
  const owner = rows.length > 0 && has.consumersOfAllocations(version) ? ownerOf(rows[0], version) : {};
  return { status: 200, body: { allocations, ...owner }, lastModified: latestChange(rows) };
}

function ownerOf(
  { consumer: { projectId, userId, generation, consumerType } }: WrittenAllocation,
  version: number,
): object {
  return {
    project_id: projectId,
    user_id: userId,
    ...(has.consumerGenerations(version) && { consumer_generation: generation }),
    ...(has.consumerTypes(version) && { consumer_type: consumerType ?? UNKNOWN_TYPE }),
  };
}

/** Lists the allocations of a provider by consumer. */
export async function listOfProvider(request: RestRequest): Promise<RestAnswer> {
  const { version, context } = request;
  const provider = await providerOfPath(request);
  const rows = await readAllocationsOfProvider(context.database, provider.id);
  context.operation.countObjects(rows.length);
  const allocations = resourcesBy(rows, ({ consumer: { uuid: key, generation } }) => ({
    key,
    ...(has.consumerGenerations(version) && { consumer_generation: generation }),
  }));
  return {
    status: 200,
    body: { allocations, resource_provider_generation: provider.generation },
    lastModified: latestChange(rows),
  };
}

/** Returns the amounts by the key of an allocation and its class, with the other members that `membersOf` states. */
function resourcesBy(
  rows: readonly WrittenAllocation[],
  membersOf: (row: WrittenAllocation) => { readonly key: string },
): Record<string, { readonly resources: Record<string, number> }> {
  const found: Record<string, { readonly resources: Record<string, number> }> = {};
  for (const row of rows) {
    const { key, ...members } = membersOf(row);
    const { resources } = (found[key] ??= { ...members, resources: {} });
    resources[row.resourceClass] = (resources[row.resourceClass] ?? 0) + row.used;
  }
  return found;
}

export async function replaceConsumer(
  request: RestRequest<AllocationsBody | ListedAllocations>,
): Promise<RestAnswer> {
  const { params, body } = request;
  const uuid = normalizeUuid(params.consumer);
  if (uuid === undefined) throw new RestError(400, `Malformed consumer_uuid: ${params.consumer}`);
  const allocations = Array.isArray(body.allocations)
    ? byProvider(body as ListedAllocations)
    : body.allocations;
  return replaceConsumers({ ...request, body: { [uuid]: { ...body, allocations } as AllocationsBody } });
}

/** Returns the list form of allocations, of early versions, as an object by provider. */
function byProvider({ allocations }: ListedAllocations): AllocationsBody['allocations'] {
  const entries = allocations.map(
    ({ resource_provider: { uuid }, resources }) => [uuid, { resources }] as const,
  );
  return Object.fromEntries(entries);
}

export async function replaceConsumers({
  body,
  version,
  context,
}: RestRequest<ConsumersBody>): Promise<RestAnswer> {
  const consumers = consumersOf(body, version);
  await namingObjects(setAllocations(context.claims, { consumers }, { counting: 'NAMED' }));
  return { status: 204 };
}

/** Rejects with the errors of a write. A provider or a class of the body that does not exist is 400. */
export function namingObjects<T>(work: Promise<T>): Promise<T> {
  return naming(work, (error) => {
    if (error instanceof NotFound && error.entity === 'RESOURCE_PROVIDER') {
      const text = `Allocation for resource provider '${error.key}' that does not exist`;
      return `${text}: No resource provider with uuid ${error.key} found`;
    }
    const name = error instanceof InvalidInput ? error.unknown?.name : undefined;
    return name === undefined
      ? null
      : `Unable to allocate inventory for consumer: No such resource class ${name}.`;
  });
}

/** The project and the user of consumers that were written without them. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Returns the consumers of a body as the ledger takes them. */
export function consumersOf(body: ConsumersBody, version: number): ConsumerAllocationsInput[] {
  return Object.entries(body).map(([consumer, each]) => ({
    consumer: usualSpelling(consumer),
    generation: has.consumerGenerations(version) ? (each.consumer_generation ?? null) : ANY_GENERATION,
    type: each.consumer_type ?? null,
    projectId: each.project_id ?? NOBODY,
    userId: each.user_id ?? NOBODY,
    expiresAt: null, // the client does not know of holds, so the consumer is its own now
    allocations: Object.entries(each.allocations).map(([provider, { resources }]) => ({
      resourceProvider: usualSpelling(provider),
      resources: Object.entries(resources).map(([resourceClass, amount]) => ({
        resourceClass,
        // exceeds every capacity, as any larger amount
        amount: Math.min(amount, Number.MAX_SAFE_INTEGER),
      })),
    })),
  }));
}

/** Returns the usual spelling of a uuid. Other texts stand for themselves: they name nothing. */
export function usualSpelling(text: string): string {
  return normalizeUuid(text) ?? text;
}

export async function releaseConsumer({ params, context }: RestRequest): Promise<RestAnswer> {
  const consumer = usualSpelling(params.consumer);
  try {
    await deleteConsumer(context.claims, { consumer }, 'RELEASED');
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new RestError(404, `No allocations for consumer '${params.consumer}'`);
  }
  return { status: 204 };
}
