import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROUTES } from '../../src/api/rest/routeTable.js';
import { AUDIT_CHECKS } from '../../src/store/audit/rule.js';
import { readAudit } from '../../src/store/audit/audit.js';
import { loadDemoData } from '../../src/tools/demo/demo.js';
import { Random } from '../oracle/random.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { cases } from '../support/length.js';
import { addOddShapes } from '../support/oddShapes.js';
import { ServerProcess } from '../support/serverProcess.js';
import { heldBeyond, serverState } from '../support/serverState.js';
import { FleetValues } from './fleetValues.js';
import { RestRequests, type RandomRestRequest } from './randomRestRequest.js';

const isWhole = Boolean(process.env.PLACEMENT_FUZZ_RUNS);
const runs = Number(process.env.PLACEMENT_FUZZ_RUNS || cases(4_000, 800));
const seed = Number(process.env.PLACEMENT_FUZZ_SEED || (isWhole ? Date.now() % 2 ** 31 : 1));

const HOSTS = 60;
const HEAP_MIB = 1024;
const CHUNK = 100;
const CLIENTS = 4;
const MAX_FAILURES = 10;
/** The deadline of an operation, and the time to report it (ms). */
const DEADLINE = 31_000;

/** The states that an answer may have. */
const STATES = [200, 201, 204, 400, 404, 405, 406, 409, 413, 415, 431, 503];
/** Inconsistencies that no write causes. */
const DAMAGE = ['BROKEN_TREE', 'DANGLING_ALLOCATION', 'EMPTY_CONSUMER', 'UNKNOWN_REFERENCE'];

const random = new Random(seed);
const fleet = new FleetValues();
const requests = new RestRequests(random, fleet);
const failures: string[] = [];
/** The number of answers by route and status. */
const answers = new Map<string, number>();
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

let database: TestDatabase;
let server: ServerProcess;
beforeAll(async () => {
  database = await testDatabase();
  await loadDemoData(database, { hosts: HOSTS });
  await addOddShapes(database);
  server = await ServerProcess.start(database.url, HEAP_MIB);
}, 120_000);
afterAll(async () => {
  agent.destroy();
  if (server?.isRunning) await server.stop();
  await database?.close();
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly ms: number;
}

function send({ method, path, headers, body }: RandomRestRequest): Promise<Answer> {
  const began = performance.now();
  const url = server.url.replace(/graphql$/, `placement${path}`);
  return new Promise((resolve, reject) => {
    const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = { method, headers: { ...headers, ...length }, agent, timeout: DEADLINE };
    const sent = httpRequest(url, options, (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      textOf(response).then(
        (text) => resolve({ status, headers: answered, text, ms: performance.now() - began }),
        reject,
      );
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.on('error', reject).end(body ?? undefined);
  });
}

/** Returns the faults of the form of an answer. */
function faultsOf({ method, headers: sent }: RandomRestRequest, answer: Answer): string[] {
  const { status, headers, text } = answer;
  const found: string[] = [];
  if (!STATES.includes(status)) found.push(`status ${status}`);
  if (status === 204 && text !== '') found.push('204 with a body');
  if (!/^req-[\da-f-]{36}$/.test(String(headers['x-openstack-request-id']))) found.push('no id');
  if (method === 'HEAD' || text === '')
    return status < 400 || method === 'HEAD' ? found : [...found, 'no body'];
  const isPage = headers['content-type']?.startsWith('text/html') && sent.accept !== undefined;
  if (isPage) return found;
  if (headers['content-type'] !== 'application/json') found.push(`type ${headers['content-type']}`);
  try {
    const { errors } = JSON.parse(text) as { errors?: readonly Record<string, unknown>[] };
    if (status >= 400) found.push(...faultsOfErrors(errors, answer));
  } catch (error) {
    found.push(String(error));
  }
  return found;
}

function faultsOfErrors(errors: readonly Record<string, unknown>[] | undefined, answer: Answer): string[] {
  const [error] = errors ?? [];
  const expected = {
    status: answer.status,
    title: expect.any(String) as unknown,
    code: expect.stringMatching(/^placement\.[a-z_.]+$/) as unknown,
    request_id: answer.headers['x-openstack-request-id'],
    detail: expect.stringMatching(/^[^\n]+\.\n\n \S[^\n]*$/) as unknown,
  };
  try {
    expect(errors).toHaveLength(1);
    expect(error).toMatchObject(expected);
    return [];
  } catch (failure) {
    return [(failure as Error).message];
  }
}

async function tryOne(request: RandomRestRequest): Promise<void> {
  const answer = await send(request).catch((error: unknown) => String(error));
  const faults = typeof answer === 'string' ? [answer] : faultsOf(request, answer);
  const { route, body } = request;
  const short = { ...request, body: body?.slice(0, 2_000) };
  const said = typeof answer === 'string' ? '' : answer.text.slice(0, 500);
  if (faults.length > 0) failures.push(`${faults.join('; ')}\n${JSON.stringify(short)}\n${said}`);
  if (typeof answer === 'string') return;
  const key = `${route} ${answer.status < 300 ? 'OK' : answer.status}`;
  answers.set(key, (answers.get(key) ?? 0) + 1);
}

async function tryAll(left: RandomRestRequest[]): Promise<void> {
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next && server.isRunning; next = left.shift()) await tryOne(next);
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
}

async function damage(): Promise<string[]> {
  const found = await readAudit(database, AUDIT_CHECKS, { after: null, limit: 10_000 });
  return found.filter(({ check }) => DAMAGE.includes(check)).map(({ message }) => message);
}

test(
  `${runs} random REST requests of seed ${seed} are answered in the form of the API, and leave no damage`,
  async () => {
    const before = await damage();
    const idle = await serverState(server.url);
    for (let done = 0; done < runs && failures.length < MAX_FAILURES; done += CHUNK) {
      await fleet.refresh(database, random);
      await tryAll(Array.from({ length: Math.min(CHUNK, runs - done) }, () => requests.draw()));
      if (!server.isRunning || server.complaints !== '') break;
    }
    expect(server.complaints).toBe('');
    expect(failures.join('\n\n')).toBe('');
    expect(await heldBeyond(idle, server.url)).toEqual([]);
    expect(await damage()).toEqual(before);
    const accepted = ROUTES.filter(({ method, path }) => answers.has(`${method} ${path} OK`));
    const all = [...answers].map((each) => each.join(' ')).sort();
    process.stderr.write(`${all.join(', ')}\n`);
    expect(accepted.length).toBeGreaterThan(ROUTES.length * 0.8);
  },
  isWhole ? 3_600_000 : 900_000,
);
