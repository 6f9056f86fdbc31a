import { Agent } from 'node:http';
import { post, sendRest, type RestAnswer, type RestRequest } from '../support/httpPost.js';

/**
 * The outcome of a write from the view of its client: acknowledged; rejected, so that nothing was
 * changed; or unknown, because the connection was lost or the server did not know the outcome.
 */
export type Outcome<T = unknown> =
  | { readonly kind: 'done'; readonly payload: T }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Returns 'done' or 'unknown', or the code of the rejection. */
export const endOf = (outcome: Outcome): string => (outcome.kind === 'refused' ? outcome.code : outcome.kind);

/** Errors of a whole request that guarantee that nothing was changed. */
const NOTHING_CHANGED = new Set(['TIMEOUT', 'OVERLOADED', 'DATABASE_UNAVAILABLE', 'LIMIT_EXCEEDED']);

/** An answer with errors of the whole request. */
export class RequestFailed extends Error {
  readonly codes: readonly string[];

  constructor(errors: readonly { readonly extensions: { readonly code: string } }[]) {
    super(JSON.stringify(errors));
    this.codes = errors.map(({ extensions }) => extensions.code);
  }
}

/**
 * The connection ended before an answer came. This also happens without a killed server: a server
 * that is delayed for seconds on a busy machine closes idle connections, and with them a request
 * that was just sent.
 */
export const CONNECTION_LOST = 'ECONNRESET';

type MutationAnswer<T> = T & {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
};

function outcomeOf({ status, code, detail }: RestAnswer): Outcome {
  if (status < 300) return { kind: 'done', payload: null };
  const message = `${status} ${code}: ${detail}`;
  // 500 is an unknown outcome, 503 a request that was not served
  if (status === 500) return { kind: 'unknown', reason: message };
  const found = REJECTIONS.find(([pattern]) => pattern.test(message));
  return { kind: 'refused', code: found?.[1] ?? 'INVALID_INPUT', message };
}

const REJECTIONS = [
  [/^503 /, 'OVERLOADED'],
  [/^404 /, 'NOT_FOUND'],
  [/consumer generation conflict/, 'CONSUMER_GENERATION_CONFLICT'],
  [/concurrent_update: .*provider generation conflict/s, 'PROVIDER_GENERATION_CONFLICT'],
  [/concurrent_update/, 'CONCURRENT_UPDATE'],
  [/would exceed the capacity/, 'CAPACITY_EXCEEDED'],
  [/would exceed a quota/, 'QUOTA_EXCEEDED'],
  [/inventory\.inuse/, 'INVENTORY_IN_USE'],
  [/^409 .*does not exist/s, 'NO_INVENTORY'],
  [/^409 /, 'UNIT_VIOLATION'],
] as const;

/**
 * A client of one server over keep-alive connections. It uses all in turn, because the server
 * closes connections that are idle for long.
 */
export class Client {
  private readonly agent = new Agent({ keepAlive: true, scheduling: 'fifo' });

  constructor(readonly url: string) {}

  /** Runs one mutation and selects `selection` of its payload. */
  async mutate<T>(field: string, input: object, selection: string): Promise<Outcome<T>> {
    const name = field.charAt(0).toUpperCase() + field.slice(1);
    const document = `mutation ($input: ${name}Input!) { answer: ${field}(input: $input) {
      __typename ... on UserError { code message } ... on ${name}Payload { ${selection} } } }`;
    try {
      const { answer } = await this.query<{ answer: MutationAnswer<T> }>(document, { input });
      if (answer.__typename === `${name}Payload`) return { kind: 'done', payload: answer };
      return { kind: 'refused', code: answer.code!, message: answer.message! };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const refused = error instanceof RequestFailed && error.codes.find((each) => NOTHING_CHANGED.has(each));
      if (refused) return { kind: 'refused', code: refused, message };
      return { kind: 'unknown', reason: code ?? message };
    }
  }

  /** Sends a write to the REST API. A rejection has the code that the mutation would have. */
  async rest(request: RestRequest): Promise<Outcome> {
    try {
      return outcomeOf(await sendRest(this.url, this.agent, request));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return { kind: 'unknown', reason: code ?? message };
    }
  }

  /** Reads data. Repeats the read once after a lost connection. Throws if the answer has errors. */
  async read<T>(query: string, variables?: object): Promise<T> {
    const ask = (): Promise<T> => this.query<T>(query, variables);
    return ask().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== CONNECTION_LOST) throw error;
      return ask();
    });
  }

  /** Returns how often the server has read the whole fleet from the database since its start. */
  async fullLoads(): Promise<number> {
    const response = await fetch(new URL('/healthz', this.url));
    return ((await response.json()) as { fullLoads: number }).fullLoads;
  }

  private async query<T>(query: string, variables?: object): Promise<T> {
    const body = await post(this.url, this.agent, JSON.stringify({ query, variables }));
    const { data, errors } = JSON.parse(body) as {
      data: T;
      errors?: ConstructorParameters<typeof RequestFailed>[0];
    };
    if (errors !== undefined) throw new RequestFailed(errors);
    return data;
  }

  close(): void {
    this.agent.destroy();
  }
}
