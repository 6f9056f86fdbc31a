import { normalizeUuid } from '../../model/input.js';
import type { WrittenProvider } from '../../store/ledger/provider/updateProvider.js';
import type { RestAnswer, RestRequest } from './answer.js';
import { has } from './microversion.js';
import { editProvider, providerWith } from './providers.js';
import type { SetAggregatesBody } from './schemas/catalog.js';

export async function list(request: RestRequest): Promise<RestAnswer> {
  const { provider, details } = await providerWith(request, request.context.reads.withAggregates);
  return answerWith(provider, details, request);
}

/** Sets the aggregates of a provider. The answer has the order of the request. */
export async function set(request: RestRequest<SetAggregatesBody>): Promise<RestAnswer> {
  const { body, version } = request;
  const isCounted = has.aggregateGenerations(version);
  const { aggregates, resource_provider_generation: generation } =
    'aggregates' in body ? body : { aggregates: body, resource_provider_generation: undefined };
  const uuids = [...new Set(aggregates.map((uuid) => normalizeUuid(uuid)!))];
  const provider = await editProvider(request, {
    generation,
    aggregates: { set: uuids },
    ...(isCounted && { step: 1 }),
  });
  return answerWith(provider, uuids, request);
}

function answerWith(
  { generation }: WrittenProvider,
  aggregates: readonly string[],
  { version }: RestRequest,
): RestAnswer {
  const counted = has.aggregateGenerations(version) && { resource_provider_generation: generation };
  return { status: 200, body: { aggregates, ...counted }, lastModified: new Date() };
}
