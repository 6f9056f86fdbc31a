import type { Connection } from 'mariadb';
import type { Statement } from '../database/statements.js';

/** Gives the rows one by one as they come from the server, so that there are never many of them in memory. */
export function streamRows<Row>(
  connection: Connection,
  { text }: Statement<Row>,
  take: (row: Row) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    connection
      .queryStream({ rowsAsArray: true, sql: text })
      .on('data', take)
      .once('end', resolve)
      .once('error', reject);
  });
}
