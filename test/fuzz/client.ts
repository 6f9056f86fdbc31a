import { Agent, request } from 'node:http';
import type { RandomOperation } from './randomOperation.js';

export interface FuzzAnswer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** How a client treats its answer: reads it, reads it slowly, or closes the connection after some milliseconds. */
export type Manner = 'READS' | 'READS_SLOWLY' | { readonly abortsAfter: number };

type Sent = Pick<RandomOperation, 'query'> & Partial<RandomOperation>;

/** The maximum time of an answer (ms). */
const PATIENCE = 60_000;
/** The time for which a subscription is read (ms). */
const LISTENING = 150;
/** The pause of a slow reader after each piece of an answer (ms). */
const PAUSE = 30;

/** Sends operations over keep-alive connections. */
export class FuzzClient {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(private readonly url: string) {}

  /**
   * Returns the answer, or that of the only event of a stream. The status of an aborted request is
   * 0.
   */
  async send(operation: Sent, accept = 'application/json', manner: Manner = 'READS'): Promise<FuzzAnswer> {
    const answer = await this.post(operation, accept, { manner });
    return { ...answer, text: eventsOf(answer.text)[0] ?? answer.text };
  }

  /** Returns the events that a subscription sends within a short time. */
  async listen(operation: RandomOperation): Promise<FuzzAnswer & { readonly events: readonly string[] }> {
    const answer = await this.post(operation, 'text/event-stream', { listening: LISTENING });
    return { ...answer, events: eventsOf(answer.text) };
  }

  close(): void {
    this.agent.destroy();
  }

  /** `listening` is the time to read after the answer has begun (ms). Defaults to its end. */
  private post(
    { query, variables }: Sent,
    accept: string,
    { listening, manner }: { readonly listening?: number; readonly manner?: Manner },
  ): Promise<FuzzAnswer> {
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
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (manner !== 'READS_SLOWLY') return;
          response.pause();
          setTimeout(() => response.resume(), PAUSE);
        });
        response.on('end', end);
        response.on('error', failed);
      });
      const aborts = typeof manner === 'object';
      const timer = setTimeout(() => sent.destroy(), aborts ? manner.abortsAfter : PATIENCE);
      const failed = (error: Error): void => {
        clearTimeout(timer);
        if (aborts) resolve({ status: 0, text: '', ms: 0 });
        else reject(error);
      };
      sent.on('error', failed);
      sent.end(JSON.stringify({ query, variables }));
    });
  }
}

function eventsOf(text: string): string[] {
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data);
}
