import { createHash } from 'node:crypto';
import { ensure, InvalidInput } from '../../model/input.js';
import { findConsumersInTrees, type ConsumerReader } from '../../store/sql/consumers.js';

/** The maximum number of consumers of one part of a plan. */
export const MAX_IN_PART = 1000;

/** The maximum number of consumers of a part and of those before it that are still in the trees. */
const MAX_DRAINED = 5000;

/** The uuids of the consumers of a part, and of those before that are still in the trees. */
export interface DrainParts {
  readonly part: readonly string[];
  readonly earlier: readonly (readonly string[])[];
  /** The cursor of the answer's end; null if no consumers follow. */
  readonly next: string | null;
}

/** A cursor has the id of the last consumer of a part, and a digest that binds it to the wishes of the plan. */
const CURSOR = /^drain:(\d{1,15}):([0-9a-f]{16})$/;

/**
 * Finds the consumers after a cursor, by id, in the trees with these roots. Those before the cursor
 * that have not left the trees form earlier parts.
 *
 * @throws InvalidInput for a cursor that is not of this plan, or with too many consumers before it
 */
export async function findParts(
  database: ConsumerReader,
  rootIds: readonly number[],
  after: string | null,
  wishes: object,
): Promise<DrainParts> {
  const last = after === null ? 0 : idOf(after, wishes);
  const most = after === null ? MAX_IN_PART : MAX_DRAINED;
  const found = await findConsumersInTrees(database, rootIds, most + 1);
  const earlier = found.filter(({ id }) => id <= last);
  const later = found.slice(earlier.length);
  const mostEarlier = MAX_DRAINED - MAX_IN_PART;
  const message = `more than ${mostEarlier} consumers of the parts before are still in the trees: execute their moves first`;
  ensure(earlier.length <= mostEarlier, ['after'], message);
  const isLast = later.length <= MAX_IN_PART;
  const next = isLast ? null : cursorOf(later[MAX_IN_PART - 1].id, wishes);
  const seen = new Set<string>();
  // A consumer that is stored in several spellings belongs to the part of its first row.
  const uuidsOf = (from: number, consumers: typeof found): string[] => {
    const uuids = consumers.slice(from, from + MAX_IN_PART).map(({ uuid }) => uuid);
    return uuids.filter((uuid) => !seen.has(uuid) && seen.add(uuid));
  };
  const earlierParts = Array.from({ length: Math.ceil(earlier.length / MAX_IN_PART) }, (_, at) =>
    uuidsOf(at * MAX_IN_PART, earlier),
  );
  return { part: uuidsOf(0, later), earlier: earlierParts, next };
}

function cursorOf(id: number, wishes: object): string {
  return Buffer.from(`drain:${id}:${digestOf(id, wishes)}`).toString('base64url');
}

function idOf(cursor: string, wishes: object): number {
  const [, id, digest] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (digest === undefined || digest !== digestOf(Number(id), wishes))
    throw new InvalidInput(
      ['after'],
      `${JSON.stringify(cursor.slice(0, 60))} is not a cursor of a plan with these trees and requests`,
    );
  return Number(id);
}

function digestOf(id: number, wishes: object): string {
  return createHash('sha256')
    .update(JSON.stringify([id, wishes]))
    .digest('hex')
    .slice(0, 16);
}
