import { SqlError } from 'mariadb';
import type { Reader } from '../statements.js';

/** The members of the group as this node knows them. */
const MEMBERS = `SELECT MEMBER_STATE AS state, MEMBER_ID = @@server_uuid AS isThis
  FROM performance_schema.replication_group_members`;

interface Member {
  readonly state: string;
  readonly isThis: unknown;
}

/** The user of the database may not read a table. */
const NO_PRIVILEGE = 1142;

/**
 * Why a node of a group of MySQL's Group Replication cannot serve; null: it can, as far as can be told. What only the privilege to read
 * `performance_schema.replication_group_members` tells is that the majority is lost: otherwise a node that is not part of its group is
 * read-only.
 */
export async function groupUnavailability(reader: Reader): Promise<string | null> {
  const members = await readMembers(reader);
  if (members === null) return null;
  const state = members.find(({ isThis }) => Number(isThis) === 1)?.state ?? 'OFFLINE';
  if (state !== 'ONLINE') return `the node of the cluster is not ready (${state})`;
  const reachable = members.filter((member) => member.state !== 'UNREACHABLE').length;
  if (2 * reachable > members.length) return null;
  return `the node of the cluster has no majority (it reaches ${reachable} of ${members.length} members)`;
}

async function readMembers(reader: Reader): Promise<Member[] | null> {
  try {
    return await reader.query<Member[]>(MEMBERS);
  } catch (error) {
    if (error instanceof SqlError && error.errno === NO_PRIVILEGE) return null;
    throw error;
  }
}
