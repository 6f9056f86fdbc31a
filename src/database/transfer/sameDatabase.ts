import { randomUUID } from 'node:crypto';
import type { Connection } from 'mariadb';

/** Whether both are connections to the same database of one server, by whatever names, ports and sockets. */
export async function isSameDatabase(one: Connection, other: Connection): Promise<boolean> {
  const lock = `placement_transfer_${randomUUID()}`; // a lock is one of the whole server
  await one.query('DO GET_LOCK(?, 0)', [lock]);
  const [{ holder }] = await other.query<{ holder: number | null }[]>('SELECT IS_USED_LOCK(?) AS holder', [
    lock,
  ]);
  await one.query('DO RELEASE_LOCK(?)', [lock]);
  return holder !== null && (await databaseOf(one)) === (await databaseOf(other));
}

async function databaseOf(connection: Connection): Promise<string> {
  const [{ name }] = await connection.query<{ name: string }[]>('SELECT DATABASE() AS name');
  return name;
}
