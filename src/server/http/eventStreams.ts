import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Authenticator } from '../authentication/authenticator.js';
import { Unauthenticated } from '../authentication/credentials.js';
import type { Viewer } from '../../model/viewer.js';
import type { Operation } from '../../model/operation/operation.js';
import { requestError } from '../graphql/errorCodes.js';

/** The delay after which a client should reconnect (ms). */
const RETRY_MS = 1_000;

const FAREWELL = `: the server is stopping\nretry: ${RETRY_MS}\n\n`;

/** The interval at which the server verifies the credentials of open streams again (ms). */
const VERIFICATION_MS = 1_000;

const INVALID = requestError(
  'UNAUTHENTICATED',
  'The credentials have expired or were revoked: subscribe again with new ones.',
);

interface Stream {
  readonly operation: Operation;
  readonly viewer: Viewer | null;
  readonly headers: IncomingHttpHeaders;
}

/** The open event streams. A stream ends when its credentials expire, are revoked or change. */
export class EventStreams {
  private readonly open = new Map<ServerResponse, Stream>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly authenticator: Authenticator | null) {}

  add(response: ServerResponse, stream: Stream): void {
    this.open.set(response, stream);
    response.once('close', () => this.remove(response));
    if (stream.viewer !== null) this.timer ??= setInterval(() => this.verify(), VERIFICATION_MS).unref();
  }

  /** Ends all streams without the event `complete`, so that their clients reconnect. */
  end(): void {
    for (const response of this.open.keys()) {
      response.on('error', () => undefined); // GraphQL may still write to the response
      response.end(FAREWELL);
    }
  }

  private remove(response: ServerResponse): void {
    this.open.delete(response);
    if (this.open.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  private verify(): void {
    for (const stream of this.open.values()) void this.verifyOne(stream);
  }

  private async verifyOne({ operation, viewer, headers }: Stream): Promise<void> {
    if (viewer === null) return;
    try {
      if (!isSame(await this.authenticator!.authenticate(headers), viewer)) operation.abort(INVALID);
    } catch (error) {
      // the stream continues while the identity provider cannot be reached
      if (error instanceof Unauthenticated) operation.abort(INVALID);
    }
  }
}

function isSame(one: Viewer, other: Viewer): boolean {
  if (one === other) return true;
  const { userId, projectId, roles } = one;
  if (userId !== other.userId || projectId !== other.projectId) return false;
  return roles.size === other.roles.size && [...roles].every((role) => other.roles.has(role));
}
