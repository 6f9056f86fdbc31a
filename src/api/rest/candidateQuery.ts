import { groupOf, requestOf, type CandidatesRequest, type RequestGroup } from '../../model/request.js';
import { has } from './microversion.js';
import { parseMemberOf, parseResources, parseTraits, parseUuid } from './query.js';
import { REST_CODES } from '../../model/errors.js';
import { RestError } from './restErrors.js';
import { GROUP_KEYS, NAME_SUFFIX, NUMBER_SUFFIX, type GroupKey } from './schemas/candidates.js';

/** Returns the request for candidates that a query states. @throws RestError 400 */
export function parseCandidates(query: URLSearchParams, version: number): CandidatesRequest {
  const root = parseRoot(query.getAll('root_required'), version);
  const sameSubtree = query.getAll('same_subtree').map(parseSubtree);
  const groups = suffixesOf(query, version).map((suffix) => parseGroup(query, suffix, version));
  if (has.subtrees(version)) checkResourceless(groups, sameSubtree);
  else checkResources(groups);
  checkConflicts(groups);
  const policy = query.get('group_policy');
  if (policy === null && groups.filter(({ suffix }) => suffix !== '').length > 1)
    throw new RestError(
      400,
      'The "group_policy" parameter is required when specifying more than one "resources{N}" parameter.',
    );
  return requestOf(groups, {
    groupPolicy: policy === 'isolate' ? 'ISOLATE' : 'NONE',
    sameSubtree: sameSubtree.map((suffixes) => ({ groups: suffixes, except: [] })),
    rootRequiredTraits: root.required,
    rootForbiddenTraits: root.forbidden,
    oneProviderPerTree: !has.nestedProviders(version),
  });
}

/** Returns the suffixes of the groups, in the order of the query. */
function suffixesOf(query: URLSearchParams, version: number): string[] {
  const suffix = has.namedGroups(version) ? NAME_SUFFIX : NUMBER_SUFFIX;
  const pattern = new RegExp(`^(?:${GROUP_KEYS.join('|')})(${suffix})?$`);
  const matches = Array.from(query.keys(), (key) => pattern.exec(key));
  return [...new Set(matches.flatMap((match) => (match === null ? [] : [match[1] ?? ''])))];
}

function parseGroup(query: URLSearchParams, suffix: string, version: number): RequestGroup {
  const values = (key: GroupKey): string[] => query.getAll(`${key}${suffix}`);
  const traits = parseTraits(values('required'), version);
  const aggregates = parseMemberOf(values('member_of'), version, suffix);
  const trees = values('in_tree').map((text) =>
    parseUuid(text, "Expected 'in_tree' parameter to be a format of uuid."),
  );
  return groupOf(suffix, values('resources').map(parseResources).at(-1) ?? [], {
    requiredTraits: traits.required,
    forbiddenTraits: traits.forbidden,
    memberOf: aggregates.required,
    forbiddenAggregates: aggregates.forbidden,
    inTree: trees.at(-1) ?? null,
  });
}

function parseRoot(values: readonly string[], version: number) {
  if (values.length > 1)
    throw new RestError(
      400,
      "Query parameter 'root_required' may be specified only once.",
      REST_CODES.duplicateKey,
    );
  if (values.some((text) => text.startsWith('in:')))
    throw new RestError(
      400,
      `Invalid query string parameters: root_required takes no alternatives. Got: ${values[0]}`,
    );
  const root = parseTraits(values, version);
  const conflicts = root.required.flat().filter((name) => root.forbidden.includes(name));
  if (conflicts.length === 0) return root;
  const text = `Conflicting required and forbidden traits found in root_required: ${conflicts.join(', ')}`;
  throw new RestError(400, text, REST_CODES.badValue);
}

function parseSubtree(text: string): string[] {
  const suffixes = [...new Set(text.split(',').map((suffix) => suffix.trim()))];
  if (!suffixes.includes('')) return suffixes;
  const message = 'Empty string (unsuffixed group) can not be specified in `same_subtree`';
  throw new RestError(400, message, REST_CODES.badValue);
}

/** From version 1.36 on, a group may be without resources if a subtree condition names it. */
function checkResourceless(groups: readonly RequestGroup[], subtrees: readonly (readonly string[])[]): void {
  const named = subtrees.flat();
  const empty = groups.filter(({ resources }) => resources.length === 0).map(({ suffix }) => suffix);
  if (empty.length === groups.length)
    throw new RestError(
      400,
      'There must be at least one resources or resources[$S] parameter.',
      REST_CODES.missingValue,
    );
  const bad = empty.filter((suffix) => !named.includes(suffix));
  if (bad.length > 0)
    throw new RestError(
      400,
      'Resourceless suffixed group request should be specified in `same_subtree` query param: bad group(s) - ' +
        `${listed(bad)}.`,
      REST_CODES.badValue,
    );
  const suffixes = groups.map(({ suffix }) => suffix);
  const unknown = [...new Set(named.filter((suffix) => !suffixes.includes(suffix)))];
  if (unknown.length > 0)
    throw new RestError(
      400,
      `Real suffixes should be specified in \`same_subtree\`: ${listed(unknown)} not found in ${listed(suffixes)}.`,
      REST_CODES.badValue,
    );
}

function listed(suffixes: readonly string[]): string {
  return `[${suffixes.map((suffix) => `'${suffix}'`).join(', ')}]`;
}

/** Before version 1.36, each group has resources. */
function checkResources(groups: readonly RequestGroup[]): void {
  const empty = groups.filter(({ resources }) => resources.length === 0);
  const keysOf = (key: GroupKey, orphans: readonly RequestGroup[]): string =>
    orphans.map(({ suffix }) => `${key}${suffix}`).join(', ');
  const ofTraits = empty.filter(({ requiredTraits }) => requiredTraits.length > 0);
  if (ofTraits.length > 0)
    throw new RestError(
      400,
      'All traits parameters must be associated with resources. Found the following orphaned traits keys: ' +
        keysOf('required', ofTraits),
    );
  const ofAggregates = empty.filter(
    ({ memberOf, forbiddenAggregates }) => memberOf.length + forbiddenAggregates.length > 0,
  );
  if (ofAggregates.length > 0)
    throw new RestError(
      400,
      'All member_of parameters must be associated with resources. Found the following orphaned member_of keys: ' +
        keysOf('member_of', ofAggregates),
    );
  if (empty.length > 0) throw new RestError(400, 'All request groups must specify resources.');
  if (groups.length === 0)
    throw new RestError(400, 'At least one request group (`resources` or `resources{$S}`) is required.');
}

function checkConflicts(groups: readonly RequestGroup[]): void {
  const conflicts = groups.flatMap(({ suffix, requiredTraits, forbiddenTraits }) =>
    requiredTraits
      .filter((names) => names.every((name) => forbiddenTraits.includes(name)))
      .map((names) => `required${suffix}: (${names.toSorted().join(', ')})`),
  );
  if (conflicts.length === 0) return;
  const text = 'Conflicting required and forbidden traits found in the following traits keys:';
  throw new RestError(400, `${text} ${conflicts.toSorted().join(', ')}`);
}
