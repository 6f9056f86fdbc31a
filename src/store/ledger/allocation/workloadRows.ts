import { columns, deletionFrom, insertion, read, select, updateOf } from '../../sql/statements.js';
import { ensure } from '../../../model/input.js';
import { batches, type Transaction } from '../transaction.js';
import { storeRequests } from './allocationRows.js';

/** A claimed workload with a name. */
export interface NamedWorkload {
  readonly name: string;
  /** The project of all its consumers. */
  readonly projectId: string;
  /** The topology rules as JSON. */
  readonly topology: string;
  readonly members: readonly {
    readonly name: string;
    readonly placement: string;
    /** The texts of the alternative requests, the preferred one first. */
    readonly texts: readonly string[];
    /** The text of the request by which they are placed. */
    readonly chosen: string;
    readonly consumers: readonly string[];
  }[];
}

/** The maximum number of members of a workload. */
const MAX_MEMBERS = 64;

const w = columns('placement_workloads');
const m = columns('placement_workload_members', 'm');
const r = columns('placement_requests', 'r');
const c = columns('consumers', 'c');

const INSERT = insertion(
  'placement_workloads',
  ['project_id', 'name', 'topology', 'generation', 'created_at'],
  `ON DUPLICATE KEY UPDATE topology = VALUES(topology), generation = generation + 1,
     updated_at = VALUES(created_at), id = LAST_INSERT_ID(id)`,
);
const INSERT_MEMBERS = insertion(
  'placement_workload_members',
  ['workload_id', 'name', 'position', 'placement', 'request_ids'],
  'ON DUPLICATE KEY UPDATE placement = VALUES(placement), request_ids = VALUES(request_ids)',
);
const MEMBERS = select(
  {
    id: m.id,
    name: m.name,
    position: m.position,
    isUsed: `EXISTS (SELECT 1 FROM placement_consumer_requests u
               JOIN consumers c ON c.id = u.consumer_id AND c.project_id = w.project_id
               WHERE u.member_id = ${m.id})` as typeof m.id,
  },
  `FROM placement_workload_members m JOIN placement_workloads w ON w.id = ${m.workload_id} WHERE ${m.workload_id} = ?`,
);
const CONSUMERS = select({ id: c.id }, `FROM consumers c WHERE ${c.uuid} IN (?)`);
/** A consumer that kept its request has none if none was remembered. */
const JOIN = insertion(
  'placement_consumer_requests',
  ['consumer_id', 'request_id', 'member_id', 'created_at'],
  'ON DUPLICATE KEY UPDATE member_id = VALUES(member_id)',
);
const BEGIN_AGAIN = `${updateOf('placement_workloads')} SET generation = 1, created_at = ?, updated_at = NULL WHERE id = ?`;
const DELETE_MEMBERS = `${deletionFrom('placement_workload_members')} WHERE id IN (?) ORDER BY id`;
const REQUESTS = select({ id: r.id, hash: r.hash }, `FROM placement_requests r WHERE ${r.hash} IN (?)`);

/**
 * Adds members and consumers to the workload with the name, and replaces its rules. The consumers and their requests
 * are written before. Members without consumers in the project are removed; without any,
 * the workload begins again.
 *
 * @throws InvalidInput if the workload then has too many members
 */
export async function writeWorkload(
  tx: Transaction,
  { name, topology, members }: NamedWorkload,
  project: number,
  textOf: (consumer: string) => string,
): Promise<void> {
  const hashes = storeRequests(
    tx,
    members.flatMap(({ texts }) => texts),
  );
  await tx.query(...INSERT([[project, name, topology, 1, tx.now]]));
  const [{ id }] = await tx.query<{ id: number }[]>(
    `SELECT ${w.id} FROM placement_workloads WHERE ${w.project_id} = ? AND ${w.name} = ?`,
    [project, name],
  );
  const stored = await read(tx, MEMBERS, [id]);
  const claimed = new Set(members.map((member) => member.name));
  // consumers that left the project would join a member again
  const gone = stored.filter((member) => !member.isUsed);
  if (stored.length > 0 && gone.length === stored.length) tx.send(BEGIN_AGAIN, [tx.now, id]);
  const others = stored.filter((member) => member.isUsed && !claimed.has(member.name)).length;
  const message = `the workload then has ${others + members.length} members: at most ${MAX_MEMBERS}`;
  ensure(others + members.length <= MAX_MEMBERS, ['members'], message);
  if (gone.length > 0) tx.send(DELETE_MEMBERS, [gone.map((one) => one.id)]);
  const ids = new Map((await read(tx, REQUESTS, [[...hashes.values()]])).map((one) => [one.hash, one.id]));
  const first = Math.max(-1, ...stored.map(({ position }) => position)) + 1;
  await tx.query(
    ...INSERT_MEMBERS(
      members.map(({ name: member, placement, texts }, at) => [
        id,
        member,
        first + at,
        placement,
        texts.map((text) => ids.get(hashes.get(text)!)).join(),
      ]),
    ),
  );
  const memberIds = new Map((await read(tx, MEMBERS, [id])).map((one) => [one.name, one.id]));
  for (const { name: member, chosen, consumers } of members) {
    const rows = await read(tx, CONSUMERS, [consumers.map(textOf)]);
    const request = ids.get(hashes.get(chosen)!)!;
    const inOrder = rows.map((row) => row.id).sort((a, b) => a - b);
    for (const batch of batches(inOrder))
      tx.send(...JOIN(batch.map((consumer) => [consumer, request, memberIds.get(member)!, tx.now])));
  }
}
