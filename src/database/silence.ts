import type { Connection } from 'mariadb';
import type { Database } from './database.js';
import { closeWithoutKill } from './serverThreads.js';

/** The server is asked after this silence, and again at this interval (ms). */
const SILENT_MS = 5_000;
const AGAIN_MS = 1_000;

/** Successive answers IDLE or GONE that prove the silence: one answer may just be on its way. */
const CERTAIN = 2;

/** A connection was ended because its server had answered and the answer did not arrive. */
export class ConnectionSilent extends Error {
  override readonly name = 'ConnectionSilent';
  readonly code = 'ECONNRESET';
}

/**
 * Settles like the answer to a statement. If no answer arrives for five seconds, the statement may be slow or the
 * connection dead, so the server is asked on another connection. If it no longer executes the statement, the connection
 * is ended on both sides, which rolls its transaction back. If the server does not answer, the statement is waited for
 * until the socket times out.
 *
 * Not for a COMMIT, whose outcome must be read from the change feed.
 */
export async function unlessSilent<T>(
  { threadState, kill }: Pick<Database, 'threadState' | 'kill'>,
  connection: Connection,
  answer: Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let isAnswered = false;
  const silence = new Promise<never>((_, reject) => {
    const ask = async (before: number): Promise<void> => {
      const state = await threadState(connection).catch(() => 'UNKNOWN' as const);
      if (isAnswered) return;
      const idle = state === 'EXECUTING' || state === 'UNKNOWN' ? 0 : before + 1;
      if (idle < CERTAIN) return void (timer = setTimeout(() => void ask(idle), AGAIN_MS));
      if (state === 'IDLE') await kill(connection);
      closeWithoutKill(connection);
      reject(new ConnectionSilent('a connection to the database stopped delivering answers'));
    };
    timer = setTimeout(() => void ask(0), SILENT_MS);
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    isAnswered = true;
    clearTimeout(timer);
  }
}
