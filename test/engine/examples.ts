import { describe, expect, test } from '@jest/globals';
import { naiveAnswer } from '../oracle/naive.js';
import { lines, candidateLines, type Answer } from '../support/answers.js';
import { query, type CaseRequest } from '../support/caseRequests.js';
import { engineAnswer } from '../support/engine.js';
import type { Forest } from '../support/forest.js';

/** Both engines; what is said of one must hold for the other. */
export const engines: [name: string, answer: (forest: Forest, request: CaseRequest) => Answer][] = [
  ['engine', engineAnswer],
  ['naive engine', naiveAnswer],
];

/** A forest, a question in the notation of the source documents, and its answer. */
export interface Example {
  title: string;
  forest: Forest;
  query: string;
  /** Every candidate, one a line: `CN1 VCPU:1 + SS1 DISK_GB:10`. With ` | _N=NIC1` for each group where a line has it. */
  finds: string;
  /** How many candidates there are when several differ only in who serves which group (rule 169). */
  count?: number;
}

/** One test for each example and engine. */
export function runExamples(examples: Example[]): void {
  describe.each(engines)('%s', (_name, answer) => {
    test.each(examples)('$title', ({ forest, query: text, finds, count }) => {
      const found = candidateLines(answer(forest, query(text)), forest, finds.includes('|'));
      expect([...new Set(found)]).toEqual(lines(finds));
      expect(found).toHaveLength(count ?? lines(finds).length);
    });
  });
}
