import { afterAll, beforeAll, expect } from '@jest/globals';
import {
  getNamedType,
  isLeafType,
  isObjectType,
  isUnionType,
  type GraphQLFieldMap,
  type GraphQLObjectType,
} from 'graphql';
import type { Authenticator } from '../../src/authentication/authenticator.js';
import { openDatabase } from '../../src/database/database.js';
import { buildSchema } from '../../src/schema/schema.js';
import { createServer } from '../../src/server/server.js';
import { createProcess } from '../../src/process/process.js';
import type { ProviderWatch } from '../../src/feed/watch.js';
import type { Log } from '../../src/runtime/observation/log.js';
import { testDatabase, type TestDatabase } from './database.js';

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

/** What a client of a server does. */
export interface ApiClient {
  /** Where GraphQL is served. */
  readonly url: string;
  /** Sends a document as a client does and gives the answer, parsed. */
  query<T = Record<string, unknown>>(document: string, variables?: object): Promise<Answer<T>>;
  /**
   * Runs one mutation and gives its answer: what `selection` takes of the payload, or the error with all its fields and theirs;
   * with `__typename` in either case. Throws when the response has `errors`.
   */
  mutate<T = Record<string, unknown>>(field: string, input: object, selection?: string): Promise<T>;
}

export interface Api extends ApiClient {
  /** What the server logged: unexpected errors. */
  readonly logged: readonly unknown[];
  /** What its subscriptions read. */
  readonly watch: ProviderWatch;
  /** The SQL statements that the server sent while `work` ran. */
  statements(work: () => Promise<unknown>): Promise<string[]>;
  /** Stops the server; the test's database stays open. */
  close(): Promise<void>;
}

/** What Prisma asks once, before its first statement. */
const GREETING = 'SELECT VERSION()';

export interface ApiSettings {
  /** Whether the server works in the background as well; not where statements are counted. */
  readonly hasBackground?: boolean;
  /** Tells who sends a request; null: nobody is asked. */
  readonly authenticator?: Authenticator | null;
  readonly log?: Log;
}

/** The process renews its place among the writers of the feed every few seconds, whoever asks for what. */
const LEASE = /^update `placement_feed_writers` set `expires_at`/;

/** A real server on a free port, with connections of its own to the test's database. */
export async function startApi(
  database: Pick<TestDatabase, 'url'>,
  { hasBackground = true, authenticator = null, log }: ApiSettings = {},
): Promise<Api> {
  const seen: string[] = [];
  const logged: unknown[] = [];
  const own = openDatabase(database.url, {
    onStatement: (statement) => {
      if (statement !== GREETING && !LEASE.test(statement)) seen.push(statement);
    },
  });
  const process = createProcess(own, { log, report: (error) => logged.push(error) });
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
}

/**
 * Starts a database and a server before the tests of a file, and stops them afterwards. Fails if the server
 * has logged an unexpected error.
 * @param settings `fill` writes to the database before the server starts
 */
export function useApi({
  fill,
  ...settings
}: ApiSettings & { readonly fill?: (database: TestDatabase) => Promise<unknown> } = {}): ApiOfFile {
  const started: { database?: TestDatabase; api?: Api } = {};
  beforeAll(async () => {
    started.database = await testDatabase();
    await fill?.(started.database);
    started.api = await startApi(started.database, settings);
  });
  afterAll(async () => {
    const logged = [...(started.api?.logged ?? [])];
    await started.api?.close();
    await started.database?.close();
    expect(logged).toEqual([]);
  });
  return lateBound(started as ApiOfFile);
}

/** An object whose parts can be taken before they exist: each forwards to the part when it is used. */
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

/** A client of the server that answers GraphQL at an address; `send` posts the body of a request, and gives the answer's. */
export function apiAt(url: string, send = fetchAnswer): ApiClient {
  const api: ApiClient = {
    url,
    async query<T>(document: string, variables?: object) {
      return JSON.parse(await send(url, JSON.stringify({ query: document, variables }))) as Answer<T>;
    },
    async mutate<T>(field: string, input: object, selection?: string) {
      const { data, errors } = await api.query<{ answer: T }>(mutation(field, selection ?? '__typename'), {
        input,
      });
      if (errors) throw new Error(JSON.stringify(errors));
      return data.answer;
    },
  };
  return api;
}

async function fetchAnswer(url: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  return response.text();
}

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

/** All fields of an error; of the objects in it all plain ones. */
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
