import { naiveAnswer } from '../oracle/naive.js';
import type { Answer } from '../support/answers.js';
import type { CaseRequest } from '../support/caseRequests.js';
import { engineAnswer, type EngineOptions } from '../support/engine.js';
import type { Forest } from '../support/forest.js';

/** Both engines: each statement about one must hold for the other. */
export const engines: [
  name: string,
  answer: (forest: Forest, request: CaseRequest, options?: EngineOptions) => Answer,
][] = [
  ['engine', engineAnswer],
  ['naive engine', naiveAnswer],
];
