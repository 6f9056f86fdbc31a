import { Agent, request } from 'node:http';
import type { RandomOperation } from './randomOperation.js';

export interface FuzzAnswer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

type Sent = Pick<RandomOperation, 'query'> & Partial<RandomOperation>;

/** How long an answer may take at all (ms). */
const PATIENCE = 60_000;
/** How long a subscription is listened to (ms). */
const LISTENING = 150;

/** Sends operations over connections that stay open. */
export class FuzzClient {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(private readonly url: string) {}

  send(operation: Sent): Promise<FuzzAnswer> {
    return this.post(operation, 'application/json');
  }

  /** The answer as one event of a stream, for which nothing is pre-serialized. */
  async sendAsStream(operation: RandomOperation): Promise<FuzzAnswer> {
    const { text, ...rest } = await this.post(operation, 'text/event-stream');
    return { ...rest, text: eventsOf(text)[0] ?? '' };
  }

  /** What a subscription brings within a moment. */
  async listen(operation: RandomOperation): Promise<FuzzAnswer & { readonly events: readonly string[] }> {
    const answer = await this.post(operation, 'text/event-stream', LISTENING);
    return { ...answer, events: eventsOf(answer.text) };
  }

  close(): void {
    this.agent.destroy();
  }

  /** @param listening how long to take what comes after the answer has begun; to its end unless said otherwise */
  private post({ query, variables }: Sent, accept: string, listening?: number): Promise<FuzzAnswer> {
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', accept };
      const sent = request(this.url, { method: 'POST', agent: this.agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        const end = (): void => {
          clearTimeout(timer);
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, text, ms: performance.now() - began });
        };
        if (listening !== undefined) setTimeout(() => (end(), sent.destroy()), listening);
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', end);
        response.on('error', reject);
      });
      const timer = setTimeout(() => sent.destroy(), PATIENCE);
      sent.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      sent.end(JSON.stringify({ query, variables }));
    });
  }
}

function eventsOf(text: string): string[] {
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data);
}
