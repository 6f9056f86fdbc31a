import type { Random } from '../oracle/random.js';
import { uuidOf, type Forest } from '../support/forest.js';
import type { ProcessDatabase } from '../support/database.js';
import type { Known } from './state.js';

export const TYPES = ['INSTANCE', 'MIGRATION'];
export const USERS = ['anna', 'otto'];
/** The possible owners of a forest's allocations. */
export const CONSUMERS: Known = {
  consumers: Array.from({ length: 6 }, (_, at) => uuidOf('consumer', `owner ${at}`)),
  projects: ['red', 'blue'],
};

/** Returns the forest with few consumers, which allocate from several providers and classes. */
export function withFewConsumers(random: Random, forest: Forest): Forest {
  const taken = new Set<string>();
  const allocations = forest.allocations.flatMap((allocation) => {
    const keyOf = (consumer: string): string =>
      `${consumer} ${allocation.provider} ${allocation.resourceClass}`;
    const consumer = random.pick(CONSUMERS.consumers.filter((each) => !taken.has(keyOf(each))));
    taken.add(keyOf(consumer));
    return [{ ...allocation, consumer }];
  });
  return { ...forest, allocations };
}

/** Stores the consumers of a loaded forest. Some have no type, as in old versions of the reference (rule 87). */
export async function loadConsumers(
  { pool }: ProcessDatabase,
  random: Random,
  { allocations }: Forest,
): Promise<void> {
  for (const id of CONSUMERS.projects)
    await pool.query('INSERT INTO projects (external_id) VALUES (?)', [id]);
  for (const id of USERS) await pool.query('INSERT INTO users (external_id) VALUES (?)', [id]);
  for (const name of TYPES) await pool.query('INSERT IGNORE INTO consumer_types (name) VALUES (?)', [name]);
  for (const uuid of new Set(allocations.map(({ consumer }) => consumer)))
    await pool.query(
      `INSERT INTO consumers (uuid, project_id, user_id, generation, consumer_type_id) SELECT ?, p.id, u.id, ?,
        (SELECT id FROM consumer_types WHERE name = ?) FROM projects p, users u WHERE p.external_id = ? AND u.external_id = ?`,
      [
        uuid,
        random.between(1, 4),
        random.pick([...TYPES, null]),
        random.pick(CONSUMERS.projects),
        random.pick(USERS),
      ],
    );
}
