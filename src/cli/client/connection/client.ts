import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TypedDocumentString } from '../../../generated/client/operations.js';
import { eventsOf } from './events.js';
import { EXIT, Failure, type GraphQLFailure } from './failure.js';
import { post } from './post.js';
import type { Server } from './server.js';

interface Answer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly GraphQLFailure[];
}

/** Failures before anything was sent, by the code of the cause; after others a mutation may have taken place. */
const NOT_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|EPROTO|.*(CERT|VERIFY).*)$/;

const RETRY_MS = 1_000;

/** Sends operations to a server. Whatever does not succeed is thrown as a Failure. */
export class Client {
  constructor(private readonly server: Server) {}

  /** The data that a query or a mutation answers. */
  async run<Data, Variables>(
    document: TypedDocumentString<Data, Variables>,
    variables: Variables,
  ): Promise<Data> {
    const query = document.toString();
    const response = await this.send(query, variables, 'application/graphql-response+json');
    const { data, errors } = await this.answerOf<Data>(response, query);
    if (errors?.length) throw Failure.ofErrors(errors);
    return data as Data;
  }

  /**
   * The events of a subscription, without end: when the stream ends, or its server is away, it is subscribed to again with the variables
   * that `resume` gives. What is wrong before the first answer is thrown.
   */
  async *watch<Data, Variables>(
    document: TypedDocumentString<Data, Variables>,
    resume: (failure: Failure | null) => Variables,
  ): AsyncGenerator<Data> {
    let variables = resume(null);
    for (let isFirst = true; ; isFirst = false) {
      try {
        for await (const { data, errors } of await this.subscribe(document, variables)) {
          if (errors?.length) throw Failure.ofErrors(errors);
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
  ): Promise<AsyncGenerator<Answer<Data>>> {
    const query = document.toString();
    const response = await this.send(query, variables, 'text/event-stream');
    if (response.headers['content-type']?.startsWith('text/event-stream')) return eventsOf(response);
    const { errors = [] } = await this.answerOf<Data>(response, query);
    throw Failure.ofErrors(errors);
  }

  private async send(query: string, variables: unknown, accept: string): Promise<IncomingMessage> {
    const { url, token } = this.server;
    const headers = {
      accept,
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    };
    try {
      return await post(url, headers, JSON.stringify({ query, variables }));
    } catch (error) {
      throw this.lost(error, query);
    }
  }

  /** The answer, which proxies may have put another one in place of. */
  private async answerOf<Data>(response: IncomingMessage, query: string): Promise<Answer<Data>> {
    let body: string;
    try {
      body = await text(response);
    } catch (error) {
      throw this.lost(error, query);
    }
    try {
      const answer = JSON.parse(body) as Answer<Data>;
      if ('data' in answer || answer.errors?.length) return answer;
    } catch {
      // told below
    }
    const { statusCode, statusMessage } = response;
    throw new Failure(
      statusCode === 401 || statusCode === 403 ? EXIT.notAllowed : EXIT.unavailable,
      `${this.server.url} answers ${statusCode} ${statusMessage}, and not as a GraphQL server: is PLACEMENT_URL right?`,
    );
  }

  private lost(error: unknown, query: string): Failure {
    const { code, message } = causeOf(error);
    const isMutation = query.trimStart().startsWith('mutation');
    return isMutation && !NOT_SENT.test(code)
      ? new Failure(
          EXIT.unknownOutcome,
          `the connection to ${this.server.url} was lost (${message}): the change may have taken place or not`,
        )
      : new Failure(
          EXIT.unavailable,
          `${this.server.url} cannot be reached: ${message} (PLACEMENT_URL says where the server is)`,
        );
  }
}

/** Of a name that has several addresses each has failed. */
function causeOf(error: unknown): { code: string; message: string } {
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const { code = '', message } = first as NodeJS.ErrnoException;
  return { code, message };
}
