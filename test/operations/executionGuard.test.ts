import { setImmediate as turn } from 'node:timers/promises';
import { normalizedExecutor } from '@graphql-tools/executor';
import { buildSchema, parse, type ExecutionResult, type GraphQLObjectType } from 'graphql';
import { expect, test } from '@jest/globals';
import { Operations } from '../../src/model/operation/operation.js';
import { OPERATION_LIMITS } from '../../src/model/operation/admission.js';
import { CostExceeded, TimedOut, untilAborted } from '../../src/model/operation/waiting.js';
import { guardExecution } from '../../src/server/graphql/api.js';

const WIDTH = 200;

/** A schema whose lists are known at once, so that the executor never waits; the objects of `later` resolve together. */
const schema = buildSchema(
  `type Query { nodes: [Node!]! }
   type Node { value: Int! text: String next: Node later: Node nodes: [Node!]! flags: [Int!]! numbers: [Int!]! }`,
);
let resolved = 0;
const { text, flags, numbers } = (schema.getType('Node') as GraphQLObjectType).getFields();
text.resolve = () => 'x'.repeat(1_000);
flags.resolve = () => (resolved++, [1]);
numbers.resolve = () => Array.from({ length: 1_000 }, (_, at) => at);
for (const type of ['Query', 'Node']) {
  const { nodes, later } = (schema.getType(type) as GraphQLObjectType).getFields();
  nodes.resolve = () => Array.from({ length: WIDTH }, (_, value) => ({ value }));
  if (later) later.resolve = () => Promise.resolve({ value: 1 });
}
guardExecution(schema);

async function run(query: string, limits: object) {
  const operation = new Operations({ ...OPERATION_LIMITS, ...limits }).begin();
  void operation.admit(1);
  const began = performance.now();
  const { signal } = operation;
  const executed = normalizedExecutor({ schema, document: parse(query), contextValue: { operation } });
  const result = (await untilAborted(signal, Promise.resolve(executed)).catch(() => null)) as ExecutionResult;
  const reason = signal.reason as unknown;
  operation.end();
  return { result, reason, ms: performance.now() - began };
}

const DEEP = '{ nodes { value nodes { value nodes { value } } } }';

test('an execution that never waits ends at its deadline', async () => {
  const { reason, ms } = await run(DEEP, { deadline: 100, cost: 1e9, costInAll: 1e9 });
  expect(reason).toBeInstanceOf(TimedOut);
  expect(ms).toBeLessThan(2_000);
});

test('the number of objects is bounded, also if the estimate is lower', async () => {
  const { reason, result } = await run(DEEP, { cost: 50_000 });
  expect(reason).toBeInstanceOf(CostExceeded);
  expect(result).toBeNull();
});

const aliases = (count: number, selection: string): string =>
  Array.from({ length: count }, (_, number) => `a${number}: ${selection}`).join(' ');

test.each([
  ['short lists of scalars', aliases(100, 'flags')],
  ['long lists of scalars', aliases(100, 'numbers')],
  ['long scalars', aliases(100, 'text')],
  ['long keys', aliases(200, 'value').replaceAll(/a(?=\d)/g, 'a'.repeat(200))],
])('%s are counted', async (_, selection) => {
  const { reason } = await run(`{ nodes { ${selection} } }`, { cost: 15_000 });
  expect(reason).toBeInstanceOf(CostExceeded);
});

test('many short scalars cost nothing, and a list of scalars is resolved once for each object', async () => {
  resolved = 0;
  const query = `{ nodes { ${aliases(200, 'value')} ${aliases(10, 'flags').toUpperCase().replaceAll('FLAGS', 'flags')} } }`;
  const { reason } = await run(query, { cost: 15_000 });
  expect(reason).not.toBeInstanceOf(CostExceeded);
  expect(resolved).toBe(WIDTH);
});

test.each([
  ['lists in lists', '{ nodes { value nodes { value next { value } } } }'],
  ['one list of objects with many fields', `{ nodes { ${aliases(1_000, 'value')} } }`],
  ['objects that resolve together', `{ nodes { ${aliases(200, 'later { value next { value } }')} } }`],
])('other work runs while a large answer is completed: %s', async (_, query) => {
  let turns = 0;
  const isDone = new AbortController();
  const watching = (async () => {
    for (; !isDone.signal.aborted; turns++) await turn();
  })();
  const { result } = await run(query, { deadline: 60_000, cost: 1e6, costInAll: 1e6 });
  isDone.abort();
  await watching;
  expect(result.errors).toBeUndefined();
  expect((result.data as { nodes: unknown[] }).nodes).toHaveLength(WIDTH);
  expect(turns).toBeGreaterThan(10); // without slices the executor completes the answer in one turn
});
