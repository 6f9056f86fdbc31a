import { afterAll, beforeAll, expect } from '@jest/globals';
import {
  getNamedType,
  isLeafType,
  isObjectType,
  isUnionType,
  type GraphQLFieldMap,
  type GraphQLObjectType,
} from 'graphql';
import type { Authenticator } from '../../src/server/authentication/authenticator.js';
import { openDatabase } from '../../src/store/database/database.js';
import { buildSchema } from '../../src/api/schema.js';
import { createServer } from '../../src/server/server.js';
import { createProcess } from '../../src/server/process.js';
import type { ProviderWatch } from '../../src/store/feed/watch.js';
import type { Log } from '../../src/model/observation.js';
import type { OperationLimits } from '../../src/model/operation/admission.js';
import { testDatabase, type TestDatabase } from './database.js';
import { postJson } from './httpPost.js';

export interface AnswerError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: string; readonly path?: readonly string[] };
}

export interface Answer<T> {
  readonly data: T;
  readonly errors?: readonly AnswerError[];
  readonly extensions?: { readonly cost?: { readonly requested: number; readonly actual: number } };
}

export interface Failure {
  readonly message: string;
  readonly code: string;
  /** The path to the invalid part of the input. */
  readonly path?: readonly string[];
}

/** An error of this code for a part of the input: `groups.0.resources`. */
export const refusal = (code: string, path: string) => ({ code, path: path === '' ? [] : path.split('.') });

export const invalidInput = (path: string) => refusal('INVALID_INPUT', path);

/** The operations of a client of a server. */
export interface ApiClient {
  /** The URL of the GraphQL endpoint. */
  readonly url: string;
  /** Sends a document and returns the parsed answer. */
  query<T = Record<string, unknown>>(document: string, variables?: object): Promise<Answer<T>>;
  /** Sends a document and returns its data. Throws if the response has errors. */
  read<T = Record<string, unknown>>(document: string, variables?: object): Promise<T>;
  /** Sends a document and returns its only error. Throws if it has none, several, or data in any field. */
  failure(document: string, variables?: object): Promise<Failure>;
  /**
   * Runs one mutation. Returns the fields of `selection` from the payload, or all fields of the
   * error and of its objects. Both include `__typename`. Throws if the response has `errors`.
   */
  mutate<T = Record<string, unknown>>(field: string, input: object, selection?: string): Promise<T>;
}

export interface Api extends ApiClient {
  /** The unexpected errors that the server logged. */
  readonly logged: readonly unknown[];
  /** The source of the server's subscriptions. */
  readonly watch: ProviderWatch;
  /** The SQL statements that the server sent while `work` ran. */
  statements(work: () => Promise<unknown>): Promise<string[]>;
  /** Stops the server; the test's database stays open. */
  close(): Promise<void>;
}

/** The statement that Prisma sends once, before all others. */
const GREETING = 'SELECT VERSION()';

export interface ApiSettings {
  /** Whether the server also runs its background jobs. False in tests that count statements. */
  readonly hasBackground?: boolean;
  /** Identifies the sender of a request. Null disables authentication. */
  readonly authenticator?: Authenticator | null;
  readonly log?: Log;
  readonly limits?: OperationLimits;
  readonly excludedRootTraits?: readonly string[];
}

/**
 * The process renews its lease as a writer of the feed every few seconds, independent of requests.
 */
const LEASE = /^update `placement_feed_writers` set `expires_at`/;

/** Starts a real server on a free port, with its own connections to the test's database. */
export async function startApi(
  database: Pick<TestDatabase, 'url'>,
  { hasBackground = true, authenticator = null, log, limits, excludedRootTraits }: ApiSettings = {},
): Promise<Api> {
  const seen: string[] = [];
  const logged: unknown[] = [];
  const own = openDatabase(database.url, {
    onStatement: (statement) => {
      if (statement !== GREETING && !LEASE.test(statement)) seen.push(statement);
    },
  });
  const report = (error: unknown): void => void logged.push(error);
  const process = createProcess(own, { log, limits, excludedRootTraits, report });
  const start = async (): Promise<void> => void (await process.snapshots.current());
  const server = createServer(hasBackground ? process : { ...process, start }, { authenticator });
  const { port } = await server.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${port}/graphql`;
  return {
    ...apiAt(url),
    logged,
    watch: process.watch,
    async statements(work) {
      const before = seen.length;
      await work();
      return seen.slice(before);
    },
    async close() {
      await server.close();
      await own.close();
    },
  };
}

export interface ApiOfFile {
  readonly database: TestDatabase;
  readonly api: Api;
  /** A second server on the same database, with `hasOther`. */
  readonly other: Api;
}

interface FileSettings extends ApiSettings {
  /** Writes to the database before the server starts. */
  readonly fill?: (database: TestDatabase) => Promise<unknown>;
  readonly hasOther?: boolean;
}

/**
 * Starts a database and a server before the tests of a file, and stops them afterwards. Fails if the server
 * has logged an unexpected error.
 */
export function useApi({ fill, hasOther = false, ...settings }: FileSettings = {}): ApiOfFile {
  const started: { database?: TestDatabase; api?: Api; other?: Api } = {};
  beforeAll(async () => {
    started.database = await testDatabase();
    await fill?.(started.database);
    started.api = await startApi(started.database, settings);
    if (hasOther) started.other = await startApi(started.database, settings);
  });
  afterAll(async () => {
    const servers = [started.api, started.other];
    const logged = servers.flatMap((server) => server?.logged ?? []);
    for (const server of servers) await server?.close();
    await started.database?.close();
    expect(logged).toEqual([]);
  });
  return lateBound(started as ApiOfFile);
}

/**
 * Returns an object whose parts may be used before they exist. Each forwards a use to the later
 * part.
 */
export function lateBound<Parts extends object>(parts: Parts): Parts {
  return new Proxy(parts, {
    get: (_, part: string) =>
      new Proxy({}, { get: (_, name) => memberOf(parts[part as keyof Parts] as object, name) }),
  });
}

function memberOf(part: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(part, name);
  return typeof member === 'function' ? (member.bind(part) as unknown) : member;
}

/**
 * Returns a client of the GraphQL server at a URL. `send` posts the body of a request and returns
 * the body of the answer.
 */
export function apiAt(url: string, send = fetchAnswer): ApiClient {
  const api: ApiClient = {
    url,
    async query<T>(document: string, variables?: object) {
      return JSON.parse(await send(url, JSON.stringify({ query: document, variables }))) as Answer<T>;
    },
    async read<T>(document: string, variables?: object) {
      const { data, errors } = await api.query<T>(document, variables);
      if (errors) throw new Error(JSON.stringify(errors));
      return data;
    },
    async failure(document, variables) {
      const { data, errors = [] } = await api.query<object | null>(document, variables);
      if (errors.length !== 1 || Object.values(data ?? {}).some((value) => value !== null))
        throw new Error(`not one error without data: ${JSON.stringify({ data, errors }).slice(0, 1_000)}`);
      const [{ message, extensions }] = errors;
      return { message, ...extensions };
    },
    async mutate<T>(field: string, input: object, selection?: string) {
      const document = mutation(field, selection ?? '__typename');
      return (await api.read<{ answer: T }>(document, { input })).answer;
    },
  };
  return api;
}

const fetchAnswer = async (url: string, body: string): Promise<string> => (await postJson(url, body)).text();

let mutations: GraphQLFieldMap<unknown, unknown> | undefined;

function mutation(field: string, selection: string): string {
  mutations ??= buildSchema().getMutationType()!.getFields();
  const result = getNamedType(mutations[field].type);
  if (!isUnionType(result)) throw new Error(`${field} does not answer with a union`);
  const parts = result.getTypes().map((type) => {
    const isError = type.getInterfaces().some((face) => face.name === 'UserError');
    return `... on ${type.name} { ${isError ? errorFields(type) : selection} }`;
  });
  const name = field.charAt(0).toUpperCase() + field.slice(1);
  return `mutation ($input: ${name}Input!) { answer: ${field}(input: $input) { __typename ${parts.join(' ')} } }`;
}

/** Selects all fields of an error, and all scalar fields of the objects in it. */
function errorFields(error: GraphQLObjectType): string {
  const fields = Object.values(error.getFields()).map(({ name, type }) => {
    const inner = getNamedType(type);
    return isObjectType(inner) ? `${name} { ${plainFields(inner)} }` : name;
  });
  return fields.join(' ');
}

function plainFields(type: GraphQLObjectType): string {
  const fields = Object.values(type.getFields());
  return fields.flatMap((field) => (isLeafType(getNamedType(field.type)) ? [field.name] : [])).join(' ');
}
