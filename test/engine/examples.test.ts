import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { candidateLines, lines } from '../support/answers.js';
import { query } from '../support/caseRequests.js';
import { readExamples } from '../support/examples.js';
import { engines } from './engines.js';

const folder = new URL('./examples/', import.meta.url);
const files = readdirSync(folder).map((file) => [file, readExamples(new URL(file, folder))] as const);

test('all examples are read', () => {
  const questions = files.flatMap(([, examples]) => examples.flatMap((example) => example.questions));
  expect(questions).toHaveLength(221);
});

/**
 * `=` is a candidate, such as `CN1 VCPU:1 + SS1 DISK_GB:10`, where a line has it with ` | _N=NIC1` for each group.
 * `*` is the number of candidates if several differ only in who serves which group (rule 169).
 */
describe.each(engines)('%s', (_name, answer) => {
  describe.each(files)('%s', (_file, examples) => {
    test.each(examples)('$title', ({ forest, questions }) => {
      for (const { query: text, answer: expected } of questions) {
        const wanted = lines((expected['='] ?? []).join('\n'));
        const withMappings = wanted.some((line) => line.includes('|'));
        const found = candidateLines(answer(forest, query(text)), forest, withMappings);
        expect({ text, found: [...new Set(found)] }).toEqual({ text, found: wanted });
        expect(found).toHaveLength(Number(expected['*']?.[0] ?? wanted.length));
      }
    });
  });
});
