import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TypedDocumentString } from '../generated/client/operations.js';
import { EXIT, Failure, type GraphQLFailure, type Rejection } from './failure.js';
import type { Format, OutputPage } from './output.js';

interface GraphqlAnswer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly GraphQLFailure[];
}

interface ListedNodes<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** A list in the answers of an operation. */
export interface List<Data, Variables, Node> {
  readonly document: TypedDocumentString<Data, Variables>;
  readonly variables: Omit<Variables, 'first' | 'after'>;
  /** Returns the list in an answer; null if the object that has the list does not exist. */
  readonly listOf: (data: Data) => ListedNodes<Node> | null | undefined;
}

const MAX_PAGE = 1_000;

const TOKEN_VARIABLES = 'PLACEMENT_TOKEN or PLACEMENT_TOKEN_FILE';

/** Codes of failures before the request was sent. After other failures a mutation may have run. */
const NOT_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|EPROTO|.*(CERT|VERIFY).*)$/;

const RETRY_MS = 1_000;

/** Sends operations to the server at PLACEMENT_URL. Throws a Failure if an operation does not succeed. */
export class Client {
  readonly url = urlOf(process.env.PLACEMENT_URL || DEFAULT_URL);
  /** No option passes the token: other users can see the command line. */
  readonly token = tokenOf(process.env);

  /** @param format how the command prints its output */
  constructor(readonly format: Format) {}

  async run<Data, Variables>(
    document: TypedDocumentString<Data, Variables>,
    variables: Variables,
  ): Promise<Data> {
    const query = document.toString();
    const response = await this.send(query, variables, 'application/graphql-response+json');
    const { data, errors } = await this.answerOf<Data>(response, query);
    if (errors?.length) throw this.failureOf(errors);
    return data as Data;
  }

  /** Runs a document with one mutation. @returns its payload */
  async mutate<Result extends object, Variables>(
    document: TypedDocumentString<Record<string, Result>, Variables>,
    variables: Variables,
  ): Promise<Exclude<Result, { code: string }>> {
    const [result] = Object.values(await this.run(document, variables));
    if ('code' in result) throw Failure.ofRejection(result as unknown as Rejection);
    return result as Exclude<Result, { code: string }>;
  }

  /** Reads a list page by page, up to a number of entries. */
  async *pages<Data, Variables, Node>(
    { document, variables, listOf }: List<Data, Variables, Node>,
    limit = Infinity,
  ): AsyncGenerator<OutputPage<Node>> {
    let after: string | null = null;
    for (let left = limit, hasMore = true; hasMore && left > 0;) {
      const first = Math.min(MAX_PAGE, left);
      const list = listOf(await this.run(document, { ...variables, first, after } as Variables));
      const rows = list?.nodes ?? [];
      left -= rows.length;
      hasMore = list?.pageInfo.hasNextPage ?? false;
      after = list?.pageInfo.endCursor ?? null;
      yield { rows, hasMore };
    }
  }

  /** Reads a list up to a number of entries. */
  async all<Data, Variables, Node>(list: List<Data, Variables, Node>, limit?: number): Promise<Node[]> {
    const all: Node[] = [];
    for await (const { rows } of this.pages(list, limit)) all.push(...rows);
    return all;
  }

  /**
   * Yields the events of a subscription without end. When the stream ends or fails, it subscribes
   * again with the variables from `resume`. Throws failures of the first attempt or of credentials.
   */
  async *watch<Data, Variables>(
    document: TypedDocumentString<Data, Variables>,
    resume: (failure: Failure | null) => Variables,
  ): AsyncGenerator<Data> {
    let variables = resume(null);
    for (let isFirst = true; ; isFirst = false) {
      try {
        for await (const { data, errors } of await this.subscribe(document, variables)) {
          if (errors?.length) throw this.failureOf(errors);
          if (data) yield data;
        }
        variables = resume(null);
      } catch (error) {
        if (!(error instanceof Failure) || isFirst || error.exit === EXIT.notAllowed) throw error;
        variables = resume(error);
      }
      await sleep(RETRY_MS);
    }
  }

  private async subscribe<Data, Variables>(
    document: TypedDocumentString<Data, Variables>,
    variables: Variables,
  ): Promise<AsyncGenerator<GraphqlAnswer<Data>>> {
    const query = document.toString();
    const response = await this.send(query, variables, 'text/event-stream');
    if (response.headers['content-type']?.startsWith('text/event-stream')) return eventsOf(response);
    const { errors = [] } = await this.answerOf<Data>(response, query);
    throw this.failureOf(errors);
  }

  /** Resolves with the response head. Loading `fetch` takes three times as long as all else. */
  private async send(query: string, variables: unknown, accept: string): Promise<IncomingMessage> {
    const { url, token } = this;
    const headers = {
      accept,
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    };
    const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
    try {
      return await new Promise((resolve, reject) => {
        const sent = request(url, { method: 'POST', headers }, resolve).on('error', reject);
        sent.end(JSON.stringify({ query, variables }));
      });
    } catch (error) {
      throw this.lost(error, query);
    }
  }

  private async answerOf<Data>(response: IncomingMessage, query: string): Promise<GraphqlAnswer<Data>> {
    let body: string;
    try {
      body = await text(response);
    } catch (error) {
      throw this.lost(error, query);
    }
    try {
      const answer: unknown = JSON.parse(body);
      if (isGraphqlAnswer<Data>(answer)) return answer;
    } catch {
      // the answer is not JSON, for example that of a proxy
    }
    const { statusCode = 0, statusMessage } = response;
    const answer = `${this.url} answers ${statusCode} ${statusMessage}, which is no answer of placement-graphql`;
    // a proxy may have forwarded the request, unless it rejected it
    if (isMutation(query) && (statusCode < 300 || statusCode >= 500)) throw unknownOutcome(answer);
    const cause = statusCode === 401 ? TOKEN_VARIABLES : 'PLACEMENT_URL';
    const exit = statusCode === 401 || statusCode === 403 ? EXIT.notAllowed : EXIT.unavailable;
    throw new Failure(exit, `${answer}: check ${cause}`);
  }

  private failureOf(errors: readonly GraphQLFailure[]): Failure {
    const failure = Failure.ofErrors(errors);
    if (failure.code !== 'UNAUTHENTICATED') return failure;
    const hint = this.token === null ? `set ${TOKEN_VARIABLES}` : `check ${TOKEN_VARIABLES}`;
    return failure.withMessage(`${failure.message.replace(/\.$/, '')}: ${hint}`);
  }

  private lost(error: unknown, query: string): Failure {
    // for a name with several addresses, the error contains the failure of each address
    const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
    const { code = '', message } = first as NodeJS.ErrnoException;
    return isMutation(query) && !NOT_SENT.test(code)
      ? unknownOutcome(`the connection to ${this.url} was lost (${message})`)
      : new Failure(
          EXIT.unavailable,
          `${this.url} cannot be reached: ${message} (PLACEMENT_URL is the address of the server)`,
        );
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns false for the answer of another program, such as a REST API whose errors have no `message`. */
function isGraphqlAnswer<Data>(answer: unknown): answer is GraphqlAnswer<Data> {
  if (!isObject(answer)) return false;
  const { data, errors = [] } = answer;
  if (!Array.isArray(errors)) return false;
  return errors.length > 0
    ? errors.every((each) => isObject(each) && typeof each.message === 'string')
    : isObject(data);
}

function isMutation(query: string): boolean {
  return query.trimStart().startsWith('mutation');
}

function unknownOutcome(cause: string): Failure {
  return new Failure(EXIT.unknownOutcome, `${cause}: the change may or may not have taken effect`);
}

/** Yields the JSON data of server-sent events until the stream or its connection ends. */
async function* eventsOf<Event>(body: AsyncIterable<Uint8Array>): AsyncGenerator<Event> {
  const decoder = new TextDecoder();
  let received = '';
  try {
    for await (const chunk of body) {
      const events = (received + decoder.decode(chunk, { stream: true })).split('\n\n');
      received = events.pop()!;
      for (const event of events) {
        const [, data = ''] = /^data: (.+)$/m.exec(event) ?? [];
        if (data !== '') yield JSON.parse(data) as Event;
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
  }
}

/** The address that `npm start` serves. */
const DEFAULT_URL = 'http://127.0.0.1:4000/graphql';

function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw Failure.usage(`PLACEMENT_URL must be an address such as ${DEFAULT_URL}, not ${text}`);
  if (url.username !== '' || url.password !== '')
    throw Failure.usage('PLACEMENT_URL must have no user and password: set PLACEMENT_TOKEN');
  if (url.pathname === '/') url.pathname = '/graphql';
  return url.href;
}

/** Returns the token in a variable, or in the file that another variable names. Null if there is none. */
export function tokenOf(environment: NodeJS.ProcessEnv, variable = 'PLACEMENT_TOKEN'): string | null {
  const { [variable]: token, [`${variable}_FILE`]: file } = environment;
  if (token) return token;
  if (!file) return null;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw Failure.usage(`${variable}_FILE: ${(error as Error).message}`);
  }
}
