import { anchors, combinationsUnder, LAWS, merge, offers, solutionsUnder } from '../oracle/naive.js';
import { candidateKey } from '../support/answers.js';
import type { CaseGroup, CaseRequest } from '../support/caseRequests.js';
import type { Forest } from '../support/forest.js';
import { rulesApplied, type Rule } from './differences.js';
import { ReferenceRelations } from './referenceRelations.js';

/** The rules by which the reference gives other candidates. */
const RULES = ['D1', 'D2', 'rule 135', 'rule 136', 'rule 150'] as const;
type CandidateRule = (typeof RULES)[number];

/**
 * The keys of the candidates that the reference must return. An entry has the candidates with one solution of the unsuffixed group;
 * the reference returns one of its alternatives (rule 150). Without a choice there is one entry with one alternative.
 */
type Expected = readonly (readonly (readonly string[])[])[];

/** The laws that the reference shares. `takes` is its own comparison of sums. */
const CHECKED = LAWS.filter(([constraint]) => ['GROUP_POLICY', 'SAME_SUBTREE'].includes(constraint));

export function expectedCandidates(
  forest: Forest,
  request: CaseRequest,
  rules: ReadonlySet<CandidateRule> = new Set(RULES),
): Expected {
  if (rules.has('rule 135') && request.groups.some(isServedByNobody)) return [];
  const world = new ReferenceRelations(forest, rules);
  const asked = rules.has('rule 136') ? withoutIgnoredTrees(world, request) : request;
  const unsuffixed = asked.groups.find(({ suffix }) => suffix === '');
  const perSolution = new Map<string, string[][]>();
  for (const anchor of anchors(world, asked)) {
    const solutions = unsuffixed ? solutionsUnder(world, unsuffixed, anchor) : [];
    const found = new Map(solutions.map((solution) => [solutionKey(solution), new Array<string>()]));
    for (const combination of combinationsUnder(world, asked, anchor, CHECKED)) {
      const candidate = merge(combination);
      if (!world.takes(candidate)) continue;
      const key = solutionKey(combination.find(({ suffix }) => suffix === ''));
      found.set(key, [...(found.get(key) ?? []), candidateKey(candidate)]);
    }
    for (const [key, candidates] of found)
      perSolution.set(key, [...(perSolution.get(key) ?? []), candidates]);
  }
  const choices = [...perSolution.values()];
  if (!unsuffixed || !rules.has('rule 150')) return [[sorted(choices.flat(2))]];
  const alternatives = choices.map((some) => distinct(some.map(sorted)));
  const certain = sorted(alternatives.filter((some) => some.length === 1).flat(2));
  return [[certain], ...alternatives.filter((some) => some.length > 1)];
}

/** Returns whether the reference may answer with these candidates. */
export function isExpected(expected: Expected, candidates: readonly string[]): boolean {
  const isChosen = expected.every((alternatives) => {
    const possible = new Set(alternatives.flat());
    const given = sorted(candidates.filter((key) => possible.has(key)));
    return alternatives.some((some) => JSON.stringify(some) === JSON.stringify(given));
  });
  const possible = new Set(expected.flat(2));
  const isDistinct = new Set(candidates).size === candidates.length;
  return isChosen && isDistinct && candidates.every((key) => possible.has(key));
}

/** Returns the rules by which the reference answers this request differently. */
export function candidateRules(forest: Forest, request: CaseRequest): Rule[] {
  return rulesApplied(RULES, (rules) => expectedCandidates(forest, request, rules));
}

/** Rule 151: returns whether the reference needs a provider of a tree that it has not loaded. */
export function failsToLoad(forest: Forest, request: CaseRequest): boolean {
  const world = new ReferenceRelations(forest, new Set(RULES));
  const group = request.groups.find(({ suffix }) => suffix === '');
  const traits = new Set(forest.providers.flatMap((provider) => provider.traits));
  if (!group || (group.required?.length && !group.required.flat().some((name) => traits.has(name))))
    return false;
  const reached = anchors(world, request)
    .map((anchor) => ({ anchor, ways: offers(world, group, anchor) }))
    .filter(({ ways }) => ways.every((some) => some.length > 0));
  const providers = reached.flatMap(({ ways }) => ways.flat(2)).map(({ provider }) => provider);
  const loaded = new Set([...reached.map(({ anchor }) => anchor), ...providers]);
  return providers.some((provider) => !loaded.has(world.root(provider)));
}

/** Rule 159: returns whether the reference adds up amounts that several of its candidates share. */
export function sharesAmounts({ groupPolicy, groups }: CaseRequest): boolean {
  const classesOf = (has: (suffix: string) => boolean): string[] =>
    groups.filter(({ suffix }) => has(suffix)).flatMap(({ resources }) => Object.keys(resources ?? {}));
  const granular = new Set(classesOf((suffix) => suffix !== ''));
  return groupPolicy === 'isolate' && classesOf((suffix) => suffix === '').some((name) => granular.has(name));
}

function isResourceless({ resources }: CaseGroup): boolean {
  return Object.keys(resources ?? {}).length === 0;
}

function isServedByNobody(group: CaseGroup): boolean {
  return isResourceless(group) && !group.required?.length && !group.memberOf?.length;
}

/** Keeps trees that do not exist: the reference searches for them. */
function withoutIgnoredTrees(world: ReferenceRelations, request: CaseRequest): CaseRequest {
  const isIgnored = (group: CaseGroup): boolean =>
    isResourceless(group) && !isServedByNobody(group) && world.named(group.inTree ?? '') !== undefined;
  return {
    ...request,
    groups: request.groups.map((group) => (isIgnored(group) ? { ...group, inTree: null } : group)),
  };
}

type Solution = Parameters<typeof merge>[0][number];

/** Equal for the same takes. */
function solutionKey(solution: Solution | undefined): string {
  const takes = solution?.takes ?? [];
  return takes
    .map(({ provider, resourceClass, amount }) => `${provider.name} ${resourceClass}:${amount}`)
    .sort()
    .join(' ');
}

function sorted(keys: readonly string[]): string[] {
  return [...new Set(keys)].sort();
}

function distinct(lists: readonly string[][]): string[][] {
  return [...new Map(lists.map((list) => [JSON.stringify(list), list])).values()].sort();
}
