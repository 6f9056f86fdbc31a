import { mapValues } from '../../src/model/collections.js';
import { naiveAnswer, summaries } from '../oracle/naive.js';
import { candidateKey, candidateKeys, type Answer, type Candidate } from '../support/answers.js';
import { askCandidates } from '../support/askCandidates.js';
import { toRequest, type CaseRequest } from '../support/caseRequests.js';
import type { Forest } from '../support/forest.js';
import { askReference } from './candidateQuery.js';
import type { Rule, Tally } from './differences.js';
import {
  candidateRules,
  expectedCandidates,
  failsToLoad,
  isExpected,
  sharesAmounts,
} from './expectedCandidates.js';
import type { RestAnswer } from '../../bench/beside/reference.js';
import { floatCapacity } from './referenceRelations.js';
import type { SharedDatabase } from './sharedDatabase.js';
import { differ } from './values.js';

const EVERYWHERE = 'CUSTOM_EVERYWHERE';
const LOADING = '_LOADING';

type Programs = Pick<SharedDatabase, 'api' | 'reference'>;

/** Sends one request for candidates to both programs. Each must answer exactly as the rules state. */
export class CandidateComparison {
  /** Differences that no rule explains, each with the data to repeat it. */
  readonly failures: string[] = [];

  constructor(
    private readonly programs: Programs,
    private readonly tally: Tally,
    private readonly forest: Forest,
    private readonly request: CaseRequest,
  ) {}

  /** @param limit the limit of a second request */
  async run(limit: number | undefined): Promise<void> {
    const [ours, theirs] = await Promise.all([this.askOurs(), this.askTheirs(this.request)]);
    this.check('this server, candidates', candidateKeys(ours.candidates), this.keysByRules());
    this.check('this server, summaries', ours.summaries, summaries(this.forest, ours.candidates));
    if (ours.candidates.length > 0) this.tally.count('with candidates');
    const fails = failsToLoad(this.forest, this.request);
    this.check('status', isRejection(theirs) ? theirs.status : 200, fails ? 500 : 200);
    if (fails || isRejection(theirs)) return this.compareLoaded(ours);
    if (sharesAmounts(this.request)) await this.compareWithoutIsolation(ours, theirs);
    else this.compare(ours, theirs, []);
    if (limit !== undefined) await this.compareLimited(limit, ours, theirs);
  }

  private compare(ours: Answer, theirs: Answer, rules: readonly Rule[]): void {
    const expected = expectedCandidates(this.forest, this.request);
    if (!isExpected(expected, theirs.candidates.map(candidateKey)))
      this.check('the reference, candidates', theirs.candidates, expected);
    this.check('the reference, summaries', theirs.summaries, this.shownByReference(theirs.candidates));
    const isEqual = !differ(candidateKeys(ours.candidates), candidateKeys(theirs.candidates));
    const applied = isEqual ? rules : [...rules, ...candidateRules(this.forest, this.request)];
    if (!isEqual && applied.length === 0) this.check('no rule applies', theirs.candidates, ours.candidates);
    this.tally.compared(applied);
  }

  /**
   * Rule 159: asks the reference without isolation, because its sums are then correct, and isolates its answer here. With isolation
   * it must name no other providers.
   */
  private async compareWithoutIsolation(ours: Answer, isolated: Answer): Promise<void> {
    const loose = await this.askTheirs({ ...this.request, groupPolicy: 'none' });
    if (isRejection(loose)) return this.check('without isolation', loose, null);
    const possible = new Set(expectedCandidates(this.forest, this.request).flat(2).map(mappings));
    const others = isolated.candidates.filter((each) => !possible.has(mappings(candidateKey(each))));
    this.check('with isolation other providers', others, []);
    const candidates = loose.candidates.filter(isIsolated);
    const isEqual = !differ(candidateKeys(candidates), candidateKeys(isolated.candidates));
    const theirs = { candidates, summaries: inTreesOf(candidates, loose.summaries) };
    this.compare(ours, theirs, isEqual ? [] : ['rule 159']);
  }

  /** Rule 151: adds a first group that every provider serves, so that the reference loads all trees. */
  private async compareLoaded(ours: Answer): Promise<void> {
    const { groups, sameSubtree = [], groupPolicy } = this.request;
    const loose = await this.askTheirs({
      ...this.request,
      groups: [{ suffix: LOADING, required: [[EVERYWHERE]] }, ...groups],
      sameSubtree: [...sameSubtree, [LOADING]],
      groupPolicy: 'none',
    });
    if (isRejection(loose)) return this.check('with all trees loaded', loose, null);
    const found = loose.candidates.map(withoutLoading);
    const distinct = [...new Map(found.map((each) => [candidateKey(each), each])).values()];
    const candidates = groupPolicy === 'isolate' ? distinct.filter(isIsolated) : distinct;
    this.compare(ours, { candidates, summaries: inTreesOf(candidates, loose.summaries) }, ['rule 151']);
  }

  /** Requires as many candidates as the limit allows, all of them from the answer without a limit. */
  private async compareLimited(limit: number, ours: Answer, theirs: Answer): Promise<void> {
    const here = await this.askOurs(limit);
    this.checkLimited('this server, limited', limit, here, ours);
    this.check('this server, limited summaries', here.summaries, summaries(this.forest, here.candidates));
    this.tally.count('asked with a limit, too');
    if (sharesAmounts(this.request)) return; // its sums depend on the order (rule 159)
    const there = await this.askTheirs(this.request, limit);
    if (isRejection(there)) return this.check('the reference, limited', there, null);
    this.checkLimited('the reference, limited', limit, there, theirs);
    this.check('the reference, limited summaries', there.summaries, this.shownByReference(there.candidates));
  }

  private checkLimited(what: string, limit: number, some: Answer, all: Answer): void {
    const possible = new Set(all.candidates.map(candidateKey));
    const given = new Set(some.candidates.map(candidateKey));
    const others = [...given].filter((key) => !possible.has(key));
    const expected = { size: Math.min(limit, possible.size), count: given.size, others: [] };
    this.check(what, { size: given.size, count: some.candidates.length, others }, expected);
  }

  private check(what: string, found: unknown, expected: unknown): void {
    if (!differ(found, expected)) return;
    const { request, forest } = this;
    this.failures.push(JSON.stringify({ what, found, expected, request, forest }));
  }

  private askOurs(limit?: number): Promise<Answer> {
    return askCandidates(this.programs.api, toRequest(this.request, this.forest), limit);
  }

  private askTheirs(request: CaseRequest, limit?: number): Promise<Answer | RestAnswer> {
    return askReference(this.programs.reference, request, this.forest, limit);
  }

  private keysByRules(): string[] {
    return candidateKeys(naiveAnswer(this.forest, this.request).candidates);
  }

  /** The summaries that the reference gives: its capacities are computed in floating point (D2). */
  private shownByReference(candidates: Candidate[]): Answer['summaries'] {
    const inventories = new Map(this.forest.providers.map((each) => [each.uuid, each.inventories]));
    return mapValues(summaries(this.forest, candidates), (summary, uuid) => ({
      ...summary,
      resources: mapValues(summary.resources, ({ used }, resourceClass) => ({
        used,
        capacity: Math.trunc(floatCapacity(inventories.get(uuid)![resourceClass])),
      })),
    }));
  }
}

/** The forest with a trait that every provider has. */
export function withTraitEverywhere({ providers, allocations }: Forest): Forest {
  return {
    providers: providers.map((each) => ({ ...each, traits: [...each.traits, EVERYWHERE] })),
    allocations,
  };
}

function withoutLoading({ allocations, mappings }: Candidate): Candidate {
  const others = Object.entries(mappings).filter(([suffix]) => suffix !== LOADING);
  return { allocations, mappings: Object.fromEntries(others) };
}

function isRejection(answer: Answer | RestAnswer): answer is RestAnswer {
  return 'status' in answer;
}

/** Rule 162. */
function isIsolated({ mappings }: Candidate): boolean {
  const granular = Object.entries(mappings).filter(([suffix]) => suffix !== '');
  return new Set(granular.map(([, [provider]]) => provider)).size === granular.length;
}

/** Returns the part of a candidate's key that maps groups to providers. */
function mappings(key: string): string {
  return key.slice(key.indexOf('|'));
}

function inTreesOf(candidates: readonly Candidate[], all: Answer['summaries']): Answer['summaries'] {
  const used = candidates.flatMap(({ allocations }) => Object.keys(allocations));
  const roots = new Set(used.map((uuid) => all[uuid].root));
  return Object.fromEntries(Object.entries(all).filter(([, { root }]) => roots.has(root)));
}
