import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/store/database/database.js';

/**
 * Gives each of `count` new consumers one VCPU of a provider. Like another program it does not use
 * the ledger.
 */
export async function addConsumers(
  { pool, longWork }: Pick<Database, 'pool' | 'longWork'>,
  provider: string,
  count: number,
): Promise<void> {
  await pool.query("INSERT IGNORE INTO projects (external_id) VALUES ('many')");
  await pool.query("INSERT IGNORE INTO users (external_id) VALUES ('many')");
  const [{ projectId, userId, providerId }] = await pool.query<
    { projectId: number; userId: number; providerId: number }[]
  >(
    `SELECT p.id AS projectId, u.id AS userId, r.id AS providerId FROM projects p, users u, resource_providers r
      WHERE p.external_id = 'many' AND u.external_id = 'many' AND r.uuid = ?`,
    [provider],
  );
  for (let rest = count; rest > 0; rest -= 10_000) {
    const uuids = Array.from({ length: Math.min(rest, 10_000) }, () => randomUUID());
    await longWork.batch(
      'INSERT INTO consumers (uuid, project_id, user_id, generation) VALUES (?, ?, ?, 1)',
      uuids.map((uuid) => [uuid, projectId, userId]),
    );
    await longWork.batch(
      'INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used) VALUES (?, ?, 0, 1)',
      uuids.map((uuid) => [uuid, providerId]),
    );
  }
}

/** Removes the consumers of {@link addConsumers}. */
export async function removeConsumers({ longWork }: Pick<Database, 'longWork'>): Promise<void> {
  const ofMany = "consumers c JOIN projects p ON p.id = c.project_id AND p.external_id = 'many'";
  await longWork.query(`DELETE a FROM allocations a JOIN ${ofMany} ON c.uuid = a.consumer_id`);
  await longWork.query(`DELETE c FROM ${ofMany}`);
}
