import { expect, test } from '@jest/globals';
import { HeadroomCount, type Headroom } from '../../src/moves/headroom/headroom.js';
import { Effort } from '../../src/model/operation/waiting.js';
import { planRequest } from '../../src/search/plan.js';
import { query, toRequest, type CaseRequest } from '../support/caseRequests.js';
import { snapshotOf } from '../support/engine.js';
import { forest } from '../support/forest.js';

/** The number of children of a tree. */
const CHILDREN = 5_000;
const CLASSES = 500;

/** Draws one tree with many children. */
function wideTree(root: string, child: (at: number) => string): ReturnType<typeof forest> {
  const children = Array.from({ length: CHILDREN }, (_, at) => `  child${at}  ${child(at)}`);
  return forest([`root  ${root}`, ...children].join('\n'));
}

function counted(
  fleet: ReturnType<typeof forest>,
  request: CaseRequest,
  upTo: number,
): Headroom & { effort: Effort } {
  const snapshot = snapshotOf(fleet);
  const plan = planRequest(snapshot, toRequest(request, fleet))!;
  const effort = new Effort();
  const steps = new HeadroomCount(snapshot, plan, upTo).run(effort);
  for (;;) {
    const step = steps.next();
    if (step.done) return { ...step.value, effort };
  }
}

const cpus = wideTree('MEMORY_MB:100000', (at) => `VCPU:4 ${at % 2 === 0 ? '+HW_A' : '+HW_B'}`);

const REQUESTS: [request: string, providers: number][] = [
  ['resources=VCPU:1', 1],
  ['resources=VCPU:1,MEMORY_MB:10', 2],
  ['resources1=VCPU:1&resources2=VCPU:1&group_policy=isolate', 2],
  ['resources1=VCPU:1&required1=HW_A&resources2=MEMORY_MB:10&same_subtree=1,2', 2],
  ['resources=VCPU:1,MEMORY_MB:10&required=HW_B', 2],
];

test.each(REQUESTS)(
  '%s: a claim in a wide tree examines only the providers that it uses',
  (text, providers) => {
    const count = 1_000;
    const { effort, ...headroom } = counted(cpus, query(text), count);
    expect(headroom).toEqual({ count, reachedUpTo: true, exact: true });
    expect(effort.providersExamined).toBeLessThanOrEqual(4 * CHILDREN + count * providers);
    expect(effort.treesVisited).toBeLessThanOrEqual(4);
  },
);

test('claims of all free amounts of a wide tree are exact', () => {
  const { effort, ...headroom } = counted(cpus, query('resources=VCPU:3'), 100_000);
  expect(headroom).toEqual({ count: CHILDREN, reachedUpTo: false, exact: true });
  expect(effort.providersExamined).toBeLessThanOrEqual(6 * CHILDREN);
});

test('a claim of 500 classes in a wide tree examines only the providers that it uses', () => {
  const fleet = wideTree('', (at) => `CUSTOM_${at % CLASSES}:10`);
  const resources = Object.fromEntries(Array.from({ length: CLASSES }, (_, at) => [`CUSTOM_${at}`, 1]));
  const { effort, ...headroom } = counted(fleet, { groups: [{ suffix: '', resources }] }, 1_000);
  expect(headroom).toEqual({ count: (10 * CHILDREN) / CLASSES, reachedUpTo: false, exact: true });
  expect(effort.treesVisited).toBeLessThanOrEqual(4);
  expect(effort.providersExamined).toBeLessThanOrEqual(4 * CHILDREN + headroom.count * CLASSES);
});

test('a claim of a tree that many sharing providers serve examines only the providers that it uses', () => {
  const pools = Array.from({ length: CHILDREN }, (_, at) => `pool${at}  DISK_GB:4  @A sharing`);
  const fleet = forest(['host  VCPU:20000  @A', ...pools].join('\n'));
  const { effort, ...headroom } = counted(fleet, query('resources=VCPU:1,DISK_GB:2'), 100_000);
  expect(headroom).toEqual({ count: 2 * CHILDREN, reachedUpTo: false, exact: true });
  expect(effort.partialAssignments).toBeLessThanOrEqual(4 * headroom.count);
  expect(effort.treesVisited).toBeLessThanOrEqual(100);
});
