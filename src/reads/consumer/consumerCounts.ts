import DataLoader from 'dataloader';
import { list, read, statement, tables, type Reader } from '../../database/statements.js';

const countsBy = (owner: 'project_id' | 'user_id' | 'consumer_type_id') =>
  statement(
    tables
      .selectFrom('consumers')
      .where(owner, 'in', list<number>())
      .groupBy(owner)
      .select((eb) => [eb.ref(owner).as('owner'), eb.fn.countAll<number>().as('consumers')]),
  );
const COUNTS = {
  project: countsBy('project_id'),
  user: countsBy('user_id'),
  type: countsBy('consumer_type_id'),
};

/** How many consumers each has, by its id: one statement, on an index alone, for all that are asked for. */
export function consumerCounts(reader: Reader, owner: keyof typeof COUNTS): DataLoader<number, number> {
  return new DataLoader(async (ids) => {
    const rows = await read(reader, COUNTS[owner], [ids]);
    const byId = new Map(rows.map((row) => [row.owner, row.consumers]));
    return ids.map((id) => byId.get(id) ?? 0);
  });
}
