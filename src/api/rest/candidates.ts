import { randomInt } from 'node:crypto';
import { findCurrentCandidates } from '../../search/candidateSearch.js';
import { latestChange, textParts, type RestAnswer, type RestRequest } from './answer.js';
import { parseCandidates } from './candidateQuery.js';
import { candidatesJson } from './candidatesWriter.js';
import { withUnknownNames } from './unknownNames.js';

/** The seed of the order if the setting `rest.randomizeCandidates` is false: equal requests have equal answers. */
const FIXED_SEED = 0;

/**
 * The number of candidates to find that cost as much as one object of an answer: half as many as in GraphQL, because an
 * answer without a limit may have 100,000.
 */
const FOUND_PER_COST = 5;

/** The limit above which a search waits for earlier ones of its client: it keeps its candidates until they are sent. */
const LARGE_LIMIT = 10_000;

export async function list({ query, version, context, settings }: RestRequest): Promise<RestAnswer> {
  const { snapshots, operation } = context;
  const request = parseCandidates(query, version);
  const given = query.getAll('limit').at(0);
  const limit = given === undefined ? settings.candidates : Math.min(Number(given), Number.MAX_SAFE_INTEGER);
  if (limit > LARGE_LIMIT) await operation.pauseAsLarge();
  const work = findCurrentCandidates(snapshots, request, {
    // without a limit, one more tells whether the answer is cut
    limit: given === undefined ? limit + 1 : limit,
    seed: settings.randomizeCandidates ? randomInt(2 ** 31) : FIXED_SEED,
    wantsComplete: false,
    operation,
  });
  const found = await withUnknownNames(work, context, {
    requiredTraits: [
      ...request.rootRequiredTraits,
      ...request.groups.flatMap((group) => group.requiredTraits),
    ],
    forbiddenTraits: [
      ...request.rootForbiddenTraits,
      ...request.groups.flatMap((group) => group.forbiddenTraits),
    ],
  });
  const candidates = found.candidates.slice(0, limit);
  if (candidates.length < found.candidates.length) {
    context.observer.candidatesCut();
    context.log.warn({ limit }, 'an answer of allocation candidates was cut at the setting rest.candidates');
  }
  operation.charge(Math.ceil(candidates.length / FOUND_PER_COST));
  return {
    status: 200,
    body: textParts(candidatesJson({ ...found, candidates }, version), operation),
    lastModified: latestChange([]),
  };
}
