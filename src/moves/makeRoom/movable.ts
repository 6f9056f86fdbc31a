import { ensure } from '../../model/input.js';
import { validateList } from '../../model/request.js';
import { readHeldConsumers, type ConsumerReader } from '../../store/sql/consumers.js';
import type { ConsumerSelection } from '../rebalance/fleetConsumers.js';

/** The consumers that may move: those that each list matches. Null matches all. */
export interface Movable {
  readonly consumerTypes: readonly string[] | null;
  readonly projects: readonly string[] | null;
  readonly consumers: readonly string[] | null;
}

/** How many moves of which consumers may make room for a workload. */
export interface RoomRequest {
  readonly maxMoves: number;
  readonly movable: Movable;
}

export const MAX_ROOM_MOVES = 100;

const PATH = ['makeRoom'];

/** @throws InvalidInput */
export function validateRoom({ maxMoves, movable }: RoomRequest): void {
  const range = `maxMoves ${maxMoves} is not from 1 to ${MAX_ROOM_MOVES}`;
  ensure(maxMoves >= 1 && maxMoves <= MAX_ROOM_MOVES, [...PATH, 'maxMoves'], range);
  const { consumerTypes, projects, consumers } = movable;
  const path = [...PATH, 'movable'];
  const isGiven = [consumerTypes, projects, consumers].some((list) => list !== null);
  ensure(isGiven, path, 'pass at least one of consumerTypes, projects and consumers');
  for (const [name, list, what] of [
    ['consumerTypes', consumerTypes, 'consumer type'],
    ['projects', projects, 'project'],
    ['consumers', consumers, 'consumer'],
  ] as const) {
    ensure(list?.length !== 0, [...path, name], `an empty list: omit it, or name at least one ${what}`);
    validateList(list ?? [], [...path, name], what);
  }
}

/** Selects the movable consumers. Skips named ones that are stored in several spellings (decision D24). */
export async function selectMovable(
  reader: ConsumerReader,
  { consumerTypes, projects, consumers }: Movable,
): Promise<ConsumerSelection> {
  const conditions: string[] = [];
  const values: (readonly (string | number)[])[] = [];
  const add = (column: string, list: readonly (string | number)[] | null): void => {
    if (list === null) return;
    conditions.push(list.length === 0 ? 'FALSE' : `${column} IN (?)`);
    if (list.length > 0) values.push(list);
  };
  add('t.name', consumerTypes);
  add('p.external_id', projects);
  if (consumers !== null) {
    const held = await readHeldConsumers(reader, consumers);
    const ids = [...held.values()].filter(({ hasSeveralRows }) => !hasSeveralRows).map(({ id }) => id);
    add('m.id', ids);
  }
  const sql = `IN (
    SELECT m.uuid FROM consumers m
    LEFT JOIN consumer_types t ON t.id = m.consumer_type_id
    LEFT JOIN projects p ON p.id = m.project_id
    WHERE ${conditions.join(' AND ')})`;
  return { sql, values };
}
