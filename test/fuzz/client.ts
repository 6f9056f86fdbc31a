import { setTimeout as sleep } from 'node:timers/promises';
import { postJson } from '../support/httpPost.js';
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

/** Sends operations. */
export class FuzzClient {
  constructor(private readonly url: string) {}

  /**
   * Returns the answer, or that of the only event of a stream. The status of an aborted request is
   * 0.
   */
  async send(operation: Sent, accept = 'application/json', manner: Manner = 'READS'): Promise<FuzzAnswer> {
    const answer = await this.post(operation, accept, manner);
    return { ...answer, text: eventsOf(answer.text)[0] ?? answer.text };
  }

  /** Returns the events that a subscription sends within a short time. */
  async listen(operation: RandomOperation): Promise<FuzzAnswer & { readonly events: readonly string[] }> {
    const answer = await this.post(operation, 'text/event-stream', 'READS', LISTENING);
    return { ...answer, events: eventsOf(answer.text) };
  }

  /** `listening` is the time to read after the answer has begun (ms). Defaults to its end. */
  private async post(
    { query, variables }: Sent,
    accept: string,
    manner: Manner,
    listening?: number,
  ): Promise<FuzzAnswer> {
    const began = performance.now();
    const aborts = typeof manner === 'object';
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    let timer = setTimeout(leave, aborts ? manner.abortsAfter : PATIENCE);
    let [status, text] = [0, ''];
    try {
      const headers = { accept, 'accept-encoding': 'identity' };
      const response = await postJson(this.url, { query, variables }, headers, { signal: gone.signal });
      status = response.status;
      if (listening !== undefined) {
        clearTimeout(timer);
        timer = setTimeout(leave, listening);
      }
      const parts: unknown = response.body!.pipeThrough(new TextDecoderStream());
      for await (const part of parts as AsyncIterable<string>) {
        text += part;
        if (manner === 'READS_SLOWLY') await sleep(PAUSE);
      }
    } catch (error) {
      if (aborts) return { status: 0, text: '', ms: 0 };
      if (listening === undefined || !gone.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
    return { status, text, ms: performance.now() - began };
  }
}

function eventsOf(text: string): string[] {
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data);
}
