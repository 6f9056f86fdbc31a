import type { ServerResponse } from 'node:http';

/** When a client should come back whose stream has ended (ms). */
const RETRY_MS = 1_000;

const FAREWELL = `: the server is stopping\nretry: ${RETRY_MS}\n\n`;

/** The streams of server-sent events that are open. */
export class EventStreams {
  private readonly open = new Set<ServerResponse>();

  add(response: ServerResponse): void {
    this.open.add(response);
    response.once('close', () => this.open.delete(response));
  }

  /** Ends them so that clients come back: without the event `complete`, which would tell them that there is nothing more. */
  end(): void {
    for (const response of this.open) {
      response.on('error', () => undefined); // who writes the stream may have something to write yet
      response.end(FAREWELL);
    }
  }
}
