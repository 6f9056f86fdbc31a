import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { CandidateExplanation } from '../../src/search/explanation/explanation.js';
import type { Elimination } from '../../src/search/explanation/funnel.js';
import { naiveExplanation } from '../oracle/explanation.js';
import { query, type CaseRequest } from '../support/caseRequests.js';
import { engineExplanation } from '../support/engine.js';
import { readExamples } from '../support/examples.js';
import { forest, uuidOf, type Forest } from '../support/forest.js';

const stageOf = (lead: string, { constraint, eliminated, remaining }: Elimination): string =>
  `${lead}${constraint} -${eliminated} =${remaining}`;

function stagesOf({ groups, combination }: CandidateExplanation): string[] {
  return [
    ...groups.flatMap(({ suffix, eliminations }) =>
      eliminations.map((stage) => stageOf(suffix === '' ? '' : `${suffix} `, stage)),
    ),
    ...combination.map((stage) => stageOf('* ', stage)),
  ];
}

/** `=` is a stage, `suffix CONSTRAINT -eliminated =remaining` with `*` for the suffix of trees; `>` is the summary. */
const examples = readExamples(new URL('./explanations.txt', import.meta.url));

test.each(examples)('$title', ({ forest: fleet, questions: [{ query: text, answer }] }) => {
  const explanation = engineExplanation(fleet, query(text));
  expect(stagesOf(explanation)).toEqual(answer['=']);
  expect(explanation.summary).toBe(answer['>']![0]);
  // The naive engine counts the same.
  const naive = naiveExplanation(fleet, query(text));
  expect(explanation.satisfiableWhenEmpty).toBe(naive.satisfiableWhenEmpty);
  expect(answer['=']!.filter((line) => !line.includes(' -0 '))).toEqual([
    ...naive.groups.flatMap(({ suffix, stages: some }) =>
      some.map(([name, gone, left]) => `${suffix === '' ? '' : `${suffix} `}${name} -${gone} =${left}`),
    ),
    ...naive.combination.map(([name, gone, left]) => `* ${name} -${gone} =${left}`),
  ]);
});

test('numbers are written with separators', () => {
  const many = forest('cn  MEMORY_MB:65536(used=60000)');
  expect(engineExplanation(many, query('resources=MEMORY_MB:8192')).summary).toBe(
    '1 of 1 trees have MEMORY_MB; 0 of 1 trees have 8,192 MEMORY_MB free: at most 5,536 MEMORY_MB; ' +
      'it would fit if nothing were allocated.',
  );
});

test('an amount that may be split can have candidates now and none if nothing were allocated', () => {
  const tree = forest(`
    cn
      whole  MEMORY_MB:9(used=1)
      green  MEMORY_MB:8          +CUSTOM_GREEN
  `);
  const inParts = query('resources=MEMORY_MB:9&can_split=MEMORY_MB&required=CUSTOM_GREEN');
  const { summary, satisfiableWhenEmpty } = engineExplanation(tree, inParts);
  expect(summary).toBe('1 of 1 trees can take the request.');
  expect(naiveExplanation(tree, inParts).satisfiableWhenEmpty).toBe(false); // one provider holds all of it then, without the trait
  expect(satisfiableWhenEmpty).toBe(false);
});

describe('the sentence about a fleet without allocations', () => {
  const [one, two] = ['h1 VCPU', 'h2 VCPU'].map((name) => uuidOf('consumer', name));
  const twoHosts = forest('h1 VCPU:4(used=1)\nh2 VCPU:8(used=1)');
  const summaryOf = (fleet: Forest, text: string, relations: Partial<CaseRequest>) => {
    const { summary, satisfiableWhenEmpty } = engineExplanation(fleet, { ...query(text), ...relations });
    return { end: summary.split('; ').at(-1), satisfiableWhenEmpty };
  };

  test('does not count the positions of the consumers to be away from', () => {
    expect(summaryOf(twoHosts, 'resources=VCPU:1', { awayFromConsumers: [one, two] })).toEqual({
      end: 'it would fit if nothing were allocated.',
      satisfiableWhenEmpty: true,
    });
    expect(summaryOf(twoHosts, 'resources=VCPU:9', { awayFromConsumers: [one, two] })).toEqual({
      end: 'it would not fit even if nothing were allocated.',
      satisfiableWhenEmpty: false,
    });
  });

  test('the explanation states that it omits nearConsumers', () => {
    const end = 'apart from nearConsumers, it would fit if nothing were allocated.';
    const found = { end, satisfiableWhenEmpty: true };
    expect(summaryOf(twoHosts, 'resources=VCPU:8', { nearConsumers: [one] })).toEqual(found);
    expect(summaryOf(forest('h1 VCPU:4'), 'resources=VCPU:4', { nearConsumers: [one] })).toEqual(found);
  });

  test('is the whole explanation for a fleet without providers', () => {
    const summary = 'There are no providers; it would not fit even if nothing were allocated.';
    for (const text of ['resources=VCPU:1', 'resources_1=VCPU:1', 'resources=VCPU:1&resources_1=VGPU:1'])
      expect(engineExplanation(forest(''), query(text))).toMatchObject({ summary });
  });
});

describe('the only tree that can serve the group is removed by', () => {
  const fleet = forest('h1 VCPU:4(used=1) +OFF\nh2 VCPU:8(used=1) +ON\nh3 VCPU:8');
  const consumer = uuidOf('consumer', 'h1 VCPU');
  const elsewhere = uuidOf('consumer', 'h2 VCPU');
  test.each<[string, Partial<CaseRequest>, string]>([
    [
      'an excluded trait',
      { excludedRootTraits: ['OFF'] },
      'have a root without OFF: includeExcluded includes the others',
    ],
    ['a forbidden trait', { rootForbidden: ['OFF'] }, 'have a root without OFF'],
    ['a required trait', { rootRequired: ['ON'] }, 'have a root with ON'],
    ['a consumer to be away from', { awayFromConsumers: [consumer] }, `are away from consumers ${consumer}`],
    ['a consumer to be near', { nearConsumers: [elsewhere] }, `are near consumers ${elsewhere}`],
  ])('%s', (_, condition, reason) => {
    const { summary } = engineExplanation(fleet, { ...query('resources=VCPU:1&in_tree=h1'), ...condition });
    expect(summary).toContain('Each group can be served by itself, but 0 of 1 trees');
    expect(summary).toContain(reason);
  });
});

test('constraints come in the order of CandidateConstraint in schema.graphql', () => {
  const schema = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
  const order = [
    ...schema
      .split('enum CandidateConstraint {')[1]
      .split('}')[0]
      .matchAll(/^ {2}([A-Z_]+)$/gm),
  ];
  const positions = new Map(order.map(([, name], position) => [name, position]));
  for (const { forest: fleet, questions } of examples) {
    const { groups, combination } = engineExplanation(fleet, query(questions[0].query));
    for (const stages of [...groups.map(({ eliminations }) => eliminations), combination]) {
      const found = stages.map(({ constraint }) => positions.get(constraint)!);
      expect(found).toEqual([...found].sort((a, b) => a - b));
    }
  }
  expect(positions.size).toBeGreaterThan(15);
});
