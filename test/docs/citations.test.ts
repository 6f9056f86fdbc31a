import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { badCitations, definitions, type Defined } from './citations.js';
import { filesIn, read, root } from './pages.js';

const rules = read('docs/reference/rules.md');
const records = readdirSync(join(root, 'docs/decisions'))
  .filter((file) => file !== 'README.md')
  .sort();
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

const defined: Defined = {
  rule: new Set(definitions(rules, 'r')),
  decision: new Set(definitions(rules, 'd', 'D')),
  fixture: new Set(definitions(rules, 'f', 'F')),
  adr: new Set(records.map((file) => Number(file.slice(0, 4)))),
};

describe('rules and decisions are numbered without gaps and duplicates', () => {
  test.each([
    ['rules', definitions(rules, 'r'), 197],
    ['decisions', definitions(rules, 'd', 'D'), 20],
    ['fixtures', definitions(rules, 'f', 'F'), 6],
  ])('%s', (_kind, numbers, atLeast) => {
    expect(numbers).toEqual(upTo(numbers.length));
    expect(numbers.length).toBeGreaterThanOrEqual(atLeast);
  });

  test('architecture decision records: the number of a file is that of its heading', () => {
    expect(records.map((file) => Number(/^(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1]))).toEqual(
      upTo(records.length),
    );
    expect(records.map((file) => Number(/^# (\d+)\. \S/.exec(read(`docs/decisions/${file}`))?.[1]))).toEqual(
      upTo(records.length),
    );
  });
});

test('every citation in the repository is of something that is defined, and in its form', () => {
  const files = ['src', 'test', 'bench', 'docs'].flatMap((folder) =>
    filesIn(folder, /\.(ts|mjs|md|graphql)$/),
  );
  const others = files.filter((file) => !/^src\/generated\/|^test\/docs\/citations\.test/.test(file));
  const bad = [...others, 'README.md'].flatMap((file) =>
    badCitations(read(file), defined).map(({ line, problem }) => `${file}:${line}: ${problem}`),
  );
  expect(bad).toEqual([]);
});

describe('badCitations', () => {
  const few: Defined = {
    rule: new Set([1, 2, 3, 5]),
    decision: new Set([1, 2]),
    fixture: new Set([1]),
    adr: new Set([1]),
  };
  const problems = (text: string): string[] =>
    badCitations(text, few).map(({ line, problem }) => `${line}: ${problem}`);

  test.each([
    [
      '[ADR 1](docs/decisions/0001-one-kind-of-transaction.md): rules 1 to 3 and 5, decisions D1, D2; 44 more',
    ],
    ['/** (rules 1,\n * 4) */', '1: rule 4 is not defined'],
    ['(D7), fixture F2', '1: decision 7 is not defined', '1: fixture 2 is not defined'],
    ['one\ndecision 1', '2: "decision 1": an architecture decision is cited as "ADR 5"'],
  ])('%j: %s', (text, ...expected) => expect(problems(text)).toEqual(expected));
});

test('definitions are in the order of the page, so that gaps and doubles show', () => {
  const rule = (id: number, number = id): string => `<a id="r${id}"></a>**${number}.** Some text.\n\n`;
  expect(definitions(rule(1) + rule(3) + rule(3) + rule(4, 5), 'r')).toEqual([1, 3, 3, NaN]);
});
