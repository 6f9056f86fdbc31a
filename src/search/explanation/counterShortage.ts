import { countersOf, ownerOf, usersOf } from '../../fleet/consumption.js';
import { freeAt, type Block, type Names } from '../../fleet/snapshot.js';
import { partitionPoint } from '../../model/collections.js';

/** The counters of which an inventory lacks some for an amount. */
export interface CounterShortage {
  readonly block: Block;
  /** The row of the inventory. */
  readonly row: number;
  /** The positions of the counters. */
  readonly counters: readonly number[];
}

/** Returns the counters that prevent an amount; null if no counter does. */
export function counterShortage(
  block: Block,
  row: number,
  at: number,
  units: number,
): CounterShortage | null {
  if (block.consumption === null || block.capacities[at] - block.used[at] < units) return null;
  const counters = countersOf(block, at).flatMap(({ counter, amount }) =>
    counter >= 0 && freeAt(block, counter) < units * amount ? [counter] : [],
  );
  return counters.length === 0 ? null : { block, row, counters };
}

/**
 * Describes what uses the counters: the positions with the partitions that occupy them, such as memory slices, or else
 * the free amounts.
 */
export function shortageText(
  { block, row, counters }: CounterShortage,
  classes: Names,
  namesOf: (all: readonly string[]) => string,
  counted: (amount: number) => string,
): string {
  const positions = counters.filter((counter) => block.capacities[counter] === 1);
  const occupied = positions.map((counter) => ({
    counter,
    users: usersOf(block, counter).filter((user) => block.used[user] > 0),
  }));
  const held = occupied.filter(({ users }) => users.length > 0);
  if (held.length === 0) {
    return counters
      .map((counter) => {
        const free = counted(Math.max(0, freeAt(block, counter)));
        const owner = block.names[ownerOf(block, row, counter)];
        return `${free} of ${counted(block.capacities[counter])} ${classes.nameOf(block.classes[counter])} of ${owner} are free`;
      })
      .join(', ');
  }
  const names = runsOf(held.map(({ counter }) => classes.nameOf(block.classes[counter])));
  const users = [...new Set(held.flatMap((each) => each.users))];
  const holders = users.map((user) => block.names[rowOfInventory(block, user)]);
  const owner = block.names[ownerOf(block, row, held[0].counter)];
  return `${names} of ${owner} ${held.length > 1 ? 'are' : 'is'} used by ${namesOf(holders)}`;
}

function rowOfInventory({ ids, inventoryStarts }: Block, at: number): number {
  return partitionPoint(0, ids.length, (row) => inventoryStarts[row] <= at) - 1;
}

/** Shortens names that count upwards: CUSTOM_SLICE_4 to CUSTOM_SLICE_7. */
function runsOf(names: readonly string[]): string {
  const numberIn = (name: string): [text: string, number: number] => {
    const [, text = name, digits = ''] = /^(.*?)(\d*)$/.exec(name)!;
    return [text, digits === '' ? NaN : Number(digits)];
  };
  const sorted = [...names].sort((one, other) => {
    const [[text, number], [otherText, otherNumber]] = [numberIn(one), numberIn(other)];
    return text === otherText ? number - otherNumber : text < otherText ? -1 : 1;
  });
  const runs: string[][] = [];
  for (const name of sorted) {
    const last = runs.at(-1)?.at(-1);
    const [text, number] = numberIn(name);
    const [lastText, lastNumber] = numberIn(last ?? '');
    if (last !== undefined && text === lastText && number === lastNumber + 1) runs.at(-1)!.push(name);
    else runs.push([name]);
  }
  return runs.map((run) => (run.length > 1 ? `${run[0]} to ${run.at(-1)!}` : run[0])).join(' and ');
}
