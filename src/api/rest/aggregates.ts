import { normalizeUuid } from '../../model/input.js';
import { updateProvider } from '../../store/ledger/provider/updateProvider.js';
import type { ProviderEntity } from '../entities.js';
import type { RestAnswer, RestRequest } from './answer.js';
import { has } from './microversion.js';
import { providerOfPath, refreshed } from './providers.js';
import type { SetAggregatesBody } from './schemas/catalog.js';

export async function list(request: RestRequest): Promise<RestAnswer> {
  const provider = await providerOfPath(request);
  const aggregates = await request.context.loaders.aggregates.of(provider);
  return answerWith(
    provider,
    aggregates.map(({ uuid }) => uuid),
    request,
  );
}

/** Sets the aggregates of a provider. The answer has the order of the request. */
export async function set(request: RestRequest<SetAggregatesBody>): Promise<RestAnswer> {
  const { body, version, context } = request;
  const provider = await providerOfPath(request);
  const isCounted = has.aggregateGenerations(version);
  const { aggregates, resource_provider_generation: generation } =
    'aggregates' in body ? body : { aggregates: body, resource_provider_generation: undefined };
  const uuids = [...new Set(aggregates.map((uuid) => normalizeUuid(uuid)!))];
  await updateProvider(context.ledger, {
    resourceProvider: provider.uuid,
    generation,
    aggregates: { set: uuids },
    ...(isCounted && { step: 1 }),
  });
  return answerWith(await refreshed(provider, request), uuids, request);
}

function answerWith(
  { generation }: ProviderEntity,
  aggregates: readonly string[],
  { version }: RestRequest,
): RestAnswer {
  const counted = has.aggregateGenerations(version) && { resource_provider_generation: generation };
  return { status: 200, body: { aggregates, ...counted }, lastModified: new Date() };
}
