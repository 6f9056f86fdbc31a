import type { Connection } from 'mariadb';
import type { Database } from './database.js';

/** For how long no answer is nothing to wonder at, and how often the server is asked then (ms). */
const SILENT_MS = 5_000;
const AGAIN_MS = 1_000;

/** How often in a row the server must have said that it is at no statement: an answer may just be on its way. */
const CERTAIN = 2;

/** A connection was ended on which the server had no more to say, and nothing came. */
export class ConnectionSilent extends Error {
  override readonly name = 'ConnectionSilent';
  readonly code = 'ECONNRESET';
}

/**
 * Settles like the answer to a statement. One that is long in coming may be that of a slow statement, or of a connection on which
 * nothing passes any more: so the server is asked on another connection whether it is still at it. Where it is not, the connection
 * is ended, by the server too, so that nothing of its transaction is left. Never where the server does not say: then everybody
 * waits as long as for a server that is gone.
 *
 * Not for a COMMIT, whose outcome has to be looked up.
 */
export async function unlessSilent<T>(
  { threadState }: Pick<Database, 'threadState'>,
  connection: Connection,
  answer: Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let isAnswered = false;
  const silence = new Promise<never>((_, reject) => {
    const ask = async (before: number): Promise<void> => {
      const state = await threadState(connection).catch(() => 'EXECUTING' as const);
      if (isAnswered) return;
      const idle = state === 'EXECUTING' ? 0 : before + 1;
      if (idle < CERTAIN) return void (timer = setTimeout(() => void ask(idle), AGAIN_MS));
      // has the server end it as well; one that knows no such connection would fail, and the failure be nobody's
      if (state !== 'GONE') connection.destroy();
      reject(new ConnectionSilent('nothing came on a connection to the database any more'));
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
