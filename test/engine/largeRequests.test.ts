import { describe, expect, test } from '@jest/globals';
import { explain } from '../../src/search/explanation/explanation.js';
import { HeadroomCount } from '../../src/moves/headroom/headroom.js';
import { Effort } from '../../src/model/operation/waiting.js';
import { planRequest } from '../../src/search/plan.js';
import type { CandidatesRequest, RequestGroup } from '../../src/model/request.js';
import { validateRequest } from '../../src/search/candidateSearch.js';
import { searchFor } from '../../src/search/candidateSearch.js';
import { scoreByTerm } from '../../src/search/ordered/terms/values.js';
import { toRequest, query } from '../support/caseRequests.js';
import { finished, snapshotOf } from '../support/engine.js';
import { forest } from '../support/forest.js';
import { cases } from '../support/length.js';

/** The work of a slice, and the maximum of its processor time, with compiling and collecting garbage (ms). */
const SLICE = 5_000;
const MAX_SLICE_MS = 250;

const HOSTS = cases(3_000, 600);
const NAMES = Array.from({ length: 343 }, (_, at) => `CUSTOM_T${at}`);
const LISTS = 1_000;
/** So many sets of all names fit into the body of a request. */
const FITTING = 60;

/** Hosts with a device each, which have the last of the traits. One provider without inventories has all traits. */
const LAST = `+${NAMES.at(-1)!}`;
const hosts = Array.from({ length: HOSTS }, (_, at) => `H${at} VCPU:8 ${LAST}\n  D${at} VGPU:4 ${LAST}`);
const withAll = `Z ${NAMES.map((name) => `+${name}`).join(' ')}`;
const fleet = forest([...hosts, withAll].join('\n'));
const snapshot = snapshotOf(fleet);
const KNOWN = { hasClass: () => true, hasTrait: () => true };

const base = toRequest(query('resources=VCPU:1'), fleet);
searchFor(snapshot, planRequest(snapshot, base)!, { limit: 10, seed: 1 }).run(); // builds the index

function request(group: Partial<RequestGroup>, rest: Partial<CandidatesRequest> = {}): CandidatesRequest {
  return { ...base, groups: [{ ...base.groups[0], ...group }], ...rest };
}

function granular(
  suffix: string,
  resourceClass: string | null,
  group: Partial<RequestGroup> = {},
): RequestGroup {
  const resources = resourceClass === null ? [] : [{ resourceClass, amount: 1 }];
  return { ...base.groups[0], suffix, resources, ...group };
}

const repeated = <T>(value: T): T[] => Array<T>(LISTS).fill(value);
const copied = <T>(values: readonly T[]): T[][] => Array.from({ length: FITTING }, () => [...values]);
/** Different sets of all names but one. */
const different = Array.from({ length: FITTING }, (_, at) => [
  `CUSTOM_T${at % 7}`,
  ...NAMES.filter((_name, one) => one > 7 && one % 340 !== at % 340).slice(at % 3),
]);
const SUFFIXES = Array.from({ length: 256 }, (_, at) => `_G${at}`);
const preference = NAMES.map((trait, weight) => ({ trait, weight }));

const FORMS: Record<string, CandidatesRequest> = {
  'one required set, 1,000 times by reference': request({ requiredTraits: repeated(NAMES) }),
  'one required set in 60 copies': request({ requiredTraits: copied(NAMES) }),
  '60 different required sets': request({ requiredTraits: different }),
  '60 different required sets of the root': request({}, { rootRequiredTraits: different }),
  '60 different required sets of a granular group': {
    ...base,
    groups: [granular('_A', 'VCPU', { requiredTraits: different })],
  },
  '256 groups that forbid 342 traits': {
    ...base,
    groups: SUFFIXES.map((suffix) => granular(suffix, 'VGPU', { forbiddenTraits: NAMES.slice(0, -1) })),
  },
  '256 groups in 1,024 equal subtree conditions': {
    ...base,
    groups: SUFFIXES.map((suffix) => granular(suffix, 'VGPU')),
    sameSubtree: Array<CandidatesRequest['sameSubtree'][number]>(1_024).fill({
      groups: SUFFIXES,
      except: [],
    }),
  },
  '256 groups in 70 different subtree conditions': {
    ...base,
    groups: SUFFIXES.map((suffix) => granular(suffix, 'VGPU')),
    sameSubtree: Array.from({ length: 70 }, (_, at) => ({
      groups: SUFFIXES.filter((_suffix, one) => one !== at),
      except: [],
    })),
  },
  '32 different preferences of 311 traits': request(
    {},
    { orderBy: Array.from({ length: 32 }, (_, at) => ({ preferTraits: preference.slice(at, at + 311) })) },
  ),
  'one preference, 1,000 times': request({}, { orderBy: repeated({ preferTraits: preference }) }),
};

/** Returns the processor time of the longest slice (ms). */
function longestSlice(step: () => boolean): number {
  let longest = 0;
  for (let isDone = false; !isDone;) {
    const before = process.cpuUsage(); // the clock would include the work of other tests
    isDone = step();
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
  }
  return longest;
}

function longestStep<T>(begin: (effort: Effort) => Generator<void, T>): number {
  const effort = new Effort();
  const work = begin(effort);
  return longestSlice(() => {
    effort.allow(SLICE);
    return work.next().done === true;
  });
}

describe.each(Object.keys(FORMS))('%s', (name) => {
  const form = FORMS[name];

  test('is validated and planned at once', () => {
    const longest = longestSlice(() => {
      validateRequest(form, KNOWN);
      planRequest(snapshot, form);
      return true;
    });
    expect(longest).toBeLessThan(MAX_SLICE_MS);
  });

  test('is searched in short slices', () => {
    const plan = planRequest(snapshot, form)!;
    const longest = longestSlice(() => {
      search ??= searchFor(snapshot, plan, { limit: 10, seed: 1 });
      return search.run(SLICE);
    });
    expect(longest).toBeLessThan(MAX_SLICE_MS);
  });
  let search: ReturnType<typeof searchFor> | undefined;

  test('is explained in short slices', () => {
    const longest = longestStep((effort) => explain(snapshot, form, effort));
    expect(longest).toBeLessThan(MAX_SLICE_MS);
  });

  test('is counted in short slices', () => {
    const plan = planRequest(snapshot, form)!;
    const longest = longestStep((effort) => new HeadroomCount(snapshot, plan, 100).run(effort));
    expect(longest).toBeLessThan(MAX_SLICE_MS);
  });
});

test('an explanation gives up hard conditions between groups after some work in all', () => {
  const twin = Array.from({ length: 40 }, (_, at) => `H${at} VCPU:8\n  D${at} VGPU:200\n  E${at} VGPU:200`);
  const pair = (at: number): string[] => [SUFFIXES[at % 256], SUFFIXES[(7 * at + 1 + (at >> 8)) % 256]];
  const form: CandidatesRequest = {
    ...base,
    groups: SUFFIXES.map((suffix) =>
      granular(suffix, 'VGPU', { resources: [{ resourceClass: 'VGPU', amount: 2 }] }),
    ),
    sameSubtree: Array.from({ length: 1_000 }, (_, at) => ({ groups: pair(at), except: [] })),
  };
  const effort = new Effort();
  const work = explain(snapshotOf(forest(twin.join('\n'))), form, effort);
  const most = 2_500_000;
  effort.allow(most);
  const { value, done } = work.next();
  expect(done).toBe(true);
  expect(effort.spent).toBeLessThan(most);
  expect(value && value.summary).toContain('of them the violated condition is unknown');
});

test('an order with a repeated term finds the same candidates, and has a value for each position', () => {
  const terms = [{ preferTraits: preference }, { fewestProviders: true }];
  const find = (orderBy: CandidatesRequest['orderBy']) => {
    const plan = planRequest(snapshot, request({}, { orderBy }))!;
    const search = searchFor(snapshot, plan, { limit: 5, seed: 1 });
    search.run();
    return search.candidates.map((candidate) => ({
      hosts: candidate.assignments.map((one) => 'row' in one && one.block.names[one.row]),
      score: scoreByTerm(plan, candidate),
    }));
  };
  const [preferTraits, fewest] = terms;
  const repeating = find([preferTraits, fewest, { ...preferTraits }, preferTraits]);
  const once = find(terms);
  expect(repeating.map(({ hosts }) => hosts)).toEqual(once.map(({ hosts }) => hosts));
  expect(repeating.map(({ score }) => score)).toEqual(
    once.map(({ score: [preferred, count] }) => [preferred, count, preferred, preferred]),
  );
});

test('an order has at most 32 different terms', () => {
  const orderBy = (length: number) =>
    Array.from({ length }, (_, weight) => ({ preferTraits: [{ trait: NAMES[0], weight }] }));
  const check = (terms: CandidatesRequest['orderBy']) => (): void =>
    validateRequest(request({}, { orderBy: terms }), KNOWN);
  expect(check([...orderBy(32), ...orderBy(32)])).not.toThrow();
  expect(check(orderBy(33))).toThrow('33 different terms: an order has at most 32');
});

test('equal sets have no effect, and the path of an error is that of the input', () => {
  const names = NAMES.slice(-2);
  const sets = [names, [...names].reverse(), names];
  const explained = (requiredTraits: string[][]) =>
    finished((effort) => explain(snapshot, request({ requiredTraits }), effort), Infinity);
  expect(explained(sets)).toEqual(explained([names]));
  const unknown = { ...KNOWN, hasTrait: (name: string) => name !== 'CUSTOM_NONE' };
  const invalid = request({ requiredTraits: [...sets, ['CUSTOM_NONE']] });
  let error: unknown;
  try {
    validateRequest(invalid, unknown);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ path: ['groups', '0', 'requiredTraits', '3', '0'] });
});
