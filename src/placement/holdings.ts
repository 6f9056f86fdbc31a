import { list, read, statement, tables, type Reader } from '../database/statements.js';
import { LONGEST_LIST } from '../domain/providerConditions.js';
import type { CandidatesRequest, Holdings } from '../engine/model/request.js';

const PROVIDERS_OF_CONSUMERS = statement(
  tables
    .selectFrom('allocations as a')
    .innerJoin('resource_providers as p', 'p.id', 'a.resource_provider_id')
    .where('a.consumer_id', 'in', list<string>())
    .select(['a.consumer_id as consumer', 'p.uuid as provider'])
    .distinct(),
);

/** Adds the present allocations of the consumers that the request names. */
export async function withHoldings(reader: Reader, request: CandidatesRequest): Promise<CandidatesRequest> {
  const consumers = new Set([...request.awayFromConsumers, ...request.nearConsumers]);
  if (consumers.size === 0) return request;
  // Validation rejects a request with a longer list.
  const some = [...consumers].slice(0, 2 * LONGEST_LIST);
  return { ...request, holdings: await readHoldings(reader, some) };
}

export async function readHoldings(reader: Reader, consumers: readonly string[]): Promise<Holdings> {
  const holdings = new Map(consumers.map((consumer): [string, string[]] => [consumer, []]));
  if (consumers.length === 0) return holdings;
  for (const { consumer, provider } of await read(reader, PROVIDERS_OF_CONSUMERS, [[...holdings.keys()]]))
    holdings.get(consumer)?.push(provider);
  return holdings;
}
