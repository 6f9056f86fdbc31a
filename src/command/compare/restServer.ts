import type { Agent, IncomingMessage, RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, Failure } from '../failure.js';
import { entriesOf, type Entry } from './answerEntries.js';

/** An answer to a read. Its entries must be read to their end. An answer that is not 200 has none. */
export interface Answer {
  readonly status: number;
  readonly entries: AsyncIterable<Entry>;
}

interface VersionDocument {
  readonly versions: readonly { readonly max_version: string }[];
}

export const OK = 200;

/** How often a read is sent again if the server is overloaded or the connection is lost. */
const REPETITIONS = 3;
const MAX_WAIT_SECONDS = 10;
/** The time without data after which a connection counts as lost (ms). */
const SILENCE_MS = 300_000;

/** A server of Placement's REST API. */
export class RestServer {
  /** The minor version of the reads. */
  version = 0;
  private readonly agent: Promise<Agent>;

  /**
   * @param url without a slash at the end
   * @param tokenVariable the environment variable of the token, for messages
   */
  constructor(
    readonly url: string,
    private readonly token: string | null,
    private readonly tokenVariable: string,
  ) {
    this.agent = agentOf(url);
  }

  /** Returns the highest minor version that the server supports. */
  async maxVersion(): Promise<number> {
    const body = await text(await this.send('/'));
    try {
      const [{ max_version: version }] = (JSON.parse(body) as VersionDocument).versions;
      return Number(/^1\.(\d+)$/.exec(version)![1]);
    } catch {
      throw new Failure(EXIT.unavailable, `${this.url} is not the address of a Placement REST API`);
    }
  }

  async get(path: string): Promise<Answer> {
    const response = await this.send(path);
    const { statusCode: status = 0 } = response;
    if (status === 401 || status === 403) {
      const hint = `check ${this.tokenVariable} and the roles of its user`;
      throw new Failure(EXIT.notAllowed, `${this.url} answers ${status} to GET ${path}: ${hint}`);
    }
    return { status, entries: this.entriesIn(response, path) };
  }

  private async *entriesIn(response: IncomingMessage, path: string): AsyncGenerator<Entry> {
    response.setEncoding('utf8');
    try {
      if (response.statusCode === OK) yield* entriesOf(response as AsyncIterable<string>);
      else await text(response);
    } catch (error) {
      const { message } = error as Error;
      throw new Failure(
        EXIT.unavailable,
        `the answer of ${this.url} to GET ${path} cannot be read: ${message}`,
      );
    }
  }

  /** Resolves with the head of the answer. Repeats a read that was not answered. */
  private async send(path: string): Promise<IncomingMessage> {
    for (let left = REPETITIONS; ; left--) {
      const response = await this.sendOnce(path).catch((error: unknown) => messageOf(error));
      if (typeof response !== 'string' && response.statusCode !== 503) return response;
      if (left === 0) {
        const cause = typeof response === 'string' ? `cannot be reached: ${response}` : 'answers 503';
        throw new Failure(EXIT.unavailable, `${this.url} ${cause}`);
      }
      const seconds = typeof response === 'string' ? 0 : Number(response.headers['retry-after'] ?? 1);
      if (typeof response !== 'string') response.resume();
      await sleep(1_000 * Math.min(MAX_WAIT_SECONDS, seconds || 0));
    }
  }

  private async sendOnce(path: string): Promise<IncomingMessage> {
    const { request } = await protocolOf(this.url);
    const headers = {
      accept: 'application/json',
      'openstack-api-version': `placement 1.${this.version}`,
      ...(this.token !== null && { 'x-auth-token': this.token }),
    };
    const options: RequestOptions = { headers, agent: await this.agent, timeout: SILENCE_MS };
    return new Promise((resolve, reject) => {
      const sent = request(this.url + path, options, resolve).on('error', reject);
      sent.on('timeout', () => sent.destroy(new Error('no data for five minutes'))).end();
    });
  }
}

function protocolOf(url: string) {
  return url.startsWith('https:') ? import('node:https') : import('node:http');
}

async function agentOf(url: string): Promise<Agent> {
  const { Agent: AgentOf } = await protocolOf(url);
  return new AgentOf({ keepAlive: true });
}

/** For a name with several addresses, the error contains the failure of each address. */
function messageOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error];
  return first.message;
}
