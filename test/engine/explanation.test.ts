import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { CandidateExplanation } from '../../src/engine/explanation/explanation.js';
import type { Elimination } from '../../src/engine/explanation/funnel.js';
import { naiveExplanation } from '../oracle/explanation.js';
import { query } from '../support/caseRequests.js';
import { engineExplanation } from '../support/engine.js';
import { readExamples } from '../support/examples.js';
import { forest } from '../support/forest.js';

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
