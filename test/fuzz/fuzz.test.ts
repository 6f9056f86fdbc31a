import { readFileSync } from 'node:fs';
import { Kind, OperationTypeNode, parse, print, validate, visit, type DocumentNode } from 'graphql';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadDemoData } from '../../src/tools/demo/demo.js';
import { buildSchema } from '../../src/api/schema.js';
import { REQUEST_ERRORS } from '../../src/api/requestErrors.js';
import { Random } from '../oracle/random.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { COSTLY_QUERY } from '../support/costlyQuery.js';
import { cases } from '../support/length.js';
import { addOddShapes } from '../support/oddShapes.js';
import { ServerProcess } from '../support/serverProcess.js';
import { heldBeyond, serverState } from '../support/serverState.js';
import { AnswerCheck } from './answerCheck.js';
import { FuzzClient, type FuzzAnswer, type Manner } from './client.js';
import { Coverage } from './coverage.js';
import { FleetValues } from './fleetValues.js';
import { Listeners, type Counts } from './listeners.js';
import { InputValues } from './inputValues.js';
import { OperationWriter, type RandomOperation } from './randomOperation.js';
import { pathTo, type SchemaPath } from './schemaPaths.js';

const FEW = cases(2_000, 400);
const isWhole = Boolean(process.env.PLACEMENT_FUZZ_RUNS);
const runs = Number(process.env.PLACEMENT_FUZZ_RUNS || FEW);
/** The test command draws the same documents each time. A longer run draws others. */
const seed = Number(process.env.PLACEMENT_FUZZ_SEED || (isWhole ? Date.now() % 2 ** 31 : 1));

const HOSTS = 60;
const HEAP_MIB = 1024;
const MOST_RESIDENT_MIB = 1.2 * 1024;
/** The deadline of an operation, 30 s, and the time to report it beside other tests (ms). */
const DEADLINE = 40_000;
/** 99 percent of all answers come within this time (ms). Beside other tests they have taken up to 3.1 s. */
const SOON = isWhole ? 1_000 : 10_000;

/** Slower answers are reported (ms). */
const SLOW = 5_000;

const CHUNK = 100;
/** The number of documents between two readings of the server's resources. */
const BETWEEN_READINGS = 1_000;
const CLIENTS = 4;
const MOST_FAILURES = 10;
/**
 * The chunks after the random documents, for unused elements of the schema and for further
 * comparisons.
 */
const MAX_EXTRA_CHUNKS = 50;

/**
 * Inconsistencies that the API never causes. It can cause usage above a reduced capacity, and
 * amounts that changed units no longer allow.
 */
const DAMAGE = ['BROKEN_TREE', 'DANGLING_ALLOCATION', 'EMPTY_CONSUMER', 'UNKNOWN_REFERENCE'];

const schema = buildSchema();
const random = new Random(seed);
const check = new AnswerCheck(schema);
const coverage = new Coverage(schema);
const fleet = new FleetValues();
const values = new InputValues(random, fleet, coverage);
const failures: string[] = [];
/** The operations without an answer yet. If the server ends, one of them is the reason. */
const underWay = new Set<RandomOperation>();
const times: number[] = [];
/** Counts error codes in answers, results of mutations, and compared pairs of answers. */
const outcomes = new Map<string, number>();
const count = (outcome: string): unknown => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);

/** The number of operations that were rejected because others were running. */
let busy = 0;

/** Media types of which the server selects the last that it can send. */
const ODD_TYPES = [
  'text/event-stream, application/xml',
  'multipart/mixed, application/xml',
  'application/xml',
  'application/xml, application/graphql-response+json;q=0.1',
  'text/event-stream;q=0.5, application/json',
  'text/*',
  '*/*;q=0',
  '',
];

const listeners = new Listeners();
let database: TestDatabase;
let server: ServerProcess;
let client: FuzzClient;
beforeAll(async () => {
  database = await testDatabase();
  await loadDemoData(database, { hosts: HOSTS });
  await addOddShapes(database);
  server = await ServerProcess.start(database.url, HEAP_MIB, listeners.environment(HEAP_MIB));
  client = new FuzzClient(server.url);
}, 120_000);
afterAll(async () => {
  if (server?.isRunning) await server.stop();
  await database?.close();
});

interface Drawn extends RandomOperation {
  readonly kind: OperationTypeNode;
  /** Whether it requests candidates in a repeatable order. */
  readonly isRepeatable: boolean;
  readonly accept: string;
  readonly manner: Manner;
}

const SEARCH: SchemaPath = {
  operation: OperationTypeNode.QUERY,
  steps: [{ type: 'Query', field: 'allocationCandidates' }],
};

function drawAny(): Drawn {
  const operation = random.chance(60) ? 'query' : random.chance(97) ? 'mutation' : 'subscription';
  // only one of many fields is a search, and a comparison needs its answer
  if (operation === 'query' && random.chance(10)) return draw(SEARCH);
  return draw({ operation: operation as OperationTypeNode, steps: [] }, random.pick([0, 0, 0, 1, 5, 20]));
}

function drawExtra(): Drawn {
  const unused = coverage.unused();
  return draw(unused.length > 0 ? pathTo(schema, random.pick(unused)) : SEARCH);
}

function draw({ operation: kind, steps }: SchemaPath, oddity = 0): Drawn {
  values.oddity = oddity;
  values.isSeeded = true;
  const writer = new OperationWriter(schema, random, values, coverage);
  const operation = writer.write(kind, steps);
  const isRepeatable = values.isSeeded && operation.query.includes('allocationCandidates');
  const accept = random.chance(5) ? random.pick(ODD_TYPES) : 'application/json';
  const manner = random.chance(5)
    ? random.pick([{ abortsAfter: random.between(0, 40) }, 'READS_SLOWLY' as const])
    : 'READS';
  return { ...operation, kind, isRepeatable, accept, manner };
}

/** Returns the body of a request, to be sent again. */
function textOf({ query, variables }: RandomOperation): string {
  return JSON.stringify({ query, variables });
}

function fail(what: string, operation: RandomOperation): void {
  failures.push(`${what}\n${textOf(operation)}`);
}

/** Sends an operation and checks all properties that every answer must have. */
async function tryOne(operation: Drawn): Promise<void> {
  if (!server.isRunning) return;
  const document = parse(operation.query);
  const invalid = validate(schema, document);
  if (invalid.length > 0)
    return fail(`the fuzzer has written what is not valid: ${invalid[0].message}`, operation);
  const look = (text: string): Answer | null => checked(text, operation, document);
  underWay.add(operation);
  try {
    if (operation.kind === OperationTypeNode.SUBSCRIPTION) {
      const { events, status } = await client.listen(operation);
      if (status !== 200 && status !== 400 && !isTooLong(status, operation))
        fail(`HTTP ${status}`, operation);
      for (const event of events) look(event);
      return;
    }
    const answer = await client.send(operation, operation.accept, operation.manner);
    const { status } = answer;
    if (status === 0 || (status === 406 && operation.accept !== 'application/json')) {
      count(status === 0 ? 'ABORTED' : 'NOT_ACCEPTABLE');
      return;
    }
    checkTransport(answer, operation);
    const first = look(answer.text);
    if (!operation.isRepeatable || !first || first.errors) return;
    const { text } = await client.send({ ...operation, query: print(forExecutor(document)) });
    const second = JSON.parse(text, (key, value: unknown) =>
      key === EXPLAINED ? undefined : value,
    ) as Answer;
    count('COMPARED');
    if (second && !second.errors && JSON.stringify(first.data) !== JSON.stringify(second.data))
      fail(
        `pre-serialized ${JSON.stringify(first.data)} but executed ${JSON.stringify(second.data)}`,
        operation,
      );
  } catch (error) {
    fail(`no answer: ${String(error)}`, operation);
  } finally {
    if (server.isRunning) underWay.delete(operation);
  }
}

const EXPLAINED = 'explained';

/** Adds a field to each search, so that only the executor of GraphQL can answer it. */
function forExecutor(document: DocumentNode): DocumentNode {
  const [explained] = parse(`{ ${EXPLAINED}: explanation { __typename } }`).definitions;
  if (explained.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
  return visit(document, {
    Field: (node) =>
      node.name.value === 'allocationCandidates' && node.selectionSet
        ? {
            ...node,
            selectionSet: {
              kind: Kind.SELECTION_SET,
              selections: [...node.selectionSet.selections, ...explained.selectionSet.selections],
            },
          }
        : undefined,
  });
}

/** The maximum body of a query (bytes). Few documents repeat so many long lists. */
const MAX_QUERY = 1_048_576;

function isTooLong(status: number, operation: RandomOperation): boolean {
  return status === 413 && Buffer.byteLength(textOf(operation)) > MAX_QUERY;
}

function checkTransport({ status, ms, text }: FuzzAnswer, operation: Drawn): void {
  times.push(ms);
  if (ms > SLOW)
    process.stderr.write(`${ms.toFixed(0)} ms, ${/"cost":\d+/.exec(text)?.[0]}: ${textOf(operation)}\n`);
  const isBusy = status === 503 && text.includes('OVERLOADED');
  if (isBusy) busy++;
  const isKnown = status === 200 || status === 400 || isBusy || isTooLong(status, operation);
  if (!isKnown) fail(`HTTP ${status}: ${text.slice(0, 300)}`, operation);
  if (ms > DEADLINE) fail(`an answer after ${ms.toFixed(0)} ms`, operation);
}

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message?: unknown;
    readonly extensions?: { readonly code?: string };
  }[];
}

function checked(text: string, operation: Drawn, document: ReturnType<typeof parse>): Answer | null {
  let answer: Answer;
  try {
    answer = JSON.parse(text) as Answer;
  } catch {
    fail(`no JSON: ${text.slice(0, 300)}`, operation);
    return null;
  }
  const { data, errors } = answer;
  for (const { message, extensions } of errors ?? []) {
    const code = extensions?.code ?? '';
    count(code);
    if (typeof message !== 'string' || !(code in REQUEST_ERRORS))
      fail(`an error of no known form: ${text.slice(0, 300)}`, operation);
    if (['INTERNAL_SERVER_ERROR', 'GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED'].includes(code))
      fail(`${code}: ${String(message)}`, operation);
  }
  if (data === undefined || data === null) {
    if (!errors?.length) fail(`neither data nor errors: ${text.slice(0, 300)}`, operation);
    return answer;
  }
  if (!errors) count(operation.kind);
  for (const [, name] of text.matchAll(/"__typename":"(\w+(?:Payload|Error))"/g)) count(name);
  const findings = check.findings(document, operation.variables, data, (field, value) =>
    fleet.learn(field, value, random),
  );
  if (findings.length > 0) fail(findings.slice(0, 5).join('\n'), operation);
  return answer;
}

/** Lets a few clients send the operations. Each sends its next one after an answer. */
async function tryAll(operations: readonly Drawn[]): Promise<void> {
  const left = [...operations];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined && server.isRunning; next = left.shift())
      await tryOne(next);
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
}

async function damage(): Promise<unknown> {
  const fields = DAMAGE.map((check) => `${check}: audit(checks: [${check}], first: 0) { totalCount }`);
  return JSON.parse((await client.send({ query: `{ ${fields.join(' ')} }` })).text) as unknown;
}

function peakMiB(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

test(
  `${runs} random documents of seed ${seed} are answered, each in time and true to the schema, and leave no damage`,
  async () => {
    const before = await damage();
    const idle = await serverState(server.url);
    let previous: Counts | null = null;
    const tryChunk = async (drawNext: () => Drawn, size: number): Promise<void> => {
      await fleet.refresh(database, random);
      const drawn = Array.from({ length: size }, drawNext);
      const isQuery = ({ kind }: Drawn): boolean => kind === OperationTypeNode.QUERY;
      await tryAll(drawn.filter(isQuery)); // no writers meanwhile, so that equal operations have equal answers
      await tryAll(drawn.filter((each) => !isQuery(each)));
      if (!server.isRunning || server.complaints !== '')
        throw new Error(
          `the server said: ${server.complaints}\nafter one of these:\n${[...underWay].map(textOf).join('\n')}`,
        );
    };
    for (let done = 0; done < runs && failures.length < MOST_FAILURES; done += CHUNK) {
      await tryChunk(drawAny, Math.min(CHUNK, runs - done));
      if ((done + CHUNK) % BETWEEN_READINGS === 0) {
        const { counts, beyond } = await listeners.beyond(previous, server.pid);
        failures.push(...beyond, ...(await heldBeyond(idle, server.url)));
        previous = counts;
      }
    }
    const compared = (): number => outcomes.get('COMPARED') ?? 0;
    const isIncomplete = (): boolean => coverage.unused().length > 0 || compared() <= runs / 1000;
    for (let extra = 0; isIncomplete() && extra < MAX_EXTRA_CHUNKS; extra++) await tryChunk(drawExtra, 20);
    expect(failures.join('\n\n')).toBe('');
    const costly = await client.send({ query: COSTLY_QUERY });
    expect(costly.text).toMatch(/"requested":1\d{5}\b/);
    expect(costly.text).not.toContain('OVERLOADED');
    expect(costly.ms).toBeLessThan(SLOW);
    times.sort((one, other) => one - other);
    const [late, longest] = [times[Math.floor(times.length * 0.99)], times.at(-1)!];
    process.stderr.write(
      `${runs} random documents of seed ${seed}: 99 of 100 within ${late.toFixed(0)} ms, ` +
        `all within ${longest.toFixed(0)} ms, peak ${peakMiB().toFixed(0)} MiB, ${busy} refused as too much at once\n`,
    );
    process.stderr.write(`${[...outcomes].map((each) => each.join(' ')).join(', ')}\n`);
    expect(late).toBeLessThan(SOON);
    expect(busy).toBeLessThanOrEqual(runs / 100);
    expect(peakMiB()).toBeLessThan(MOST_RESIDENT_MIB);
    // enough of the drawn operations are answered and not rejected
    expect(outcomes.get('query')).toBeGreaterThan(runs / 20);
    expect(outcomes.get('mutation')).toBeGreaterThan(runs / 20);
    expect(compared()).toBeGreaterThan(runs / 1000);
    expect(coverage.unused()).toEqual([]);
    expect(await damage()).toEqual(before);
    expect((await client.send({ query: '{ __typename }' })).text).toContain('"Query"');
  },
  isWhole ? 3_600_000 : 900_000,
);
