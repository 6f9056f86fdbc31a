import type { Connection } from 'mariadb';

/**
 * Takes a lock that one connection to a database server holds at a time, or holds it on: until the connection ends. Gives whether this
 * one has it. On a cluster each node has locks of its own.
 */
export async function holdServerLock(connection: Connection, name: string): Promise<boolean> {
  const lock = `CONCAT('placement_graphql ', LEFT(SHA2(CONCAT(DATABASE(), ' ', ?), 256), 40))`; // at most 64 characters
  const [{ isHeld }] = await connection.query<{ isHeld: number | null }[]>(
    `SELECT IF(IS_USED_LOCK(${lock}) = CONNECTION_ID(), 1, GET_LOCK(${lock}, 0)) AS isHeld`,
    [name, name],
  );
  return isHeld === 1;
}
