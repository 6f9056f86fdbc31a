import { rootRow, type Block } from '../../engine/model/snapshot.js';

/**
 * A provider's generation, name and place in its tree, its aggregates, and its usage by class: equal as long as nothing of that has
 * changed. Name, place and aggregates are in it because OpenStack Placement changes them without an increment of the generation (the
 * aggregates by old microversions).
 */
export function fingerprintOf(block: Block, row: number): string {
  const uses: { classId: number; used: number }[] = [];
  for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++) {
    if (block.used[at] > 0) uses.push({ classId: block.classes[at], used: block.used[at] });
  }
  uses.sort((a, b) => a.classId - b.classId);
  const parent = block.parents[row];
  const place = `${parent < 0 ? 0 : block.ids[parent]} ${block.ids[rootRow(block, row)]}`;
  const named = JSON.stringify(block.names[row]);
  const aggregates = block.aggregates.subarray(block.aggregateStarts[row], block.aggregateStarts[row + 1]);
  return [
    block.generations[row],
    place,
    named,
    `[${aggregates.join(' ')}]`,
    ...uses.map(({ classId, used }) => `${classId}:${used}`),
  ].join(' ');
}

/** The fingerprints of the providers with an id above `behind` and up to `last`. */
export function fingerprintsIn(blocks: readonly Block[], behind: number, last: number): Map<number, string> {
  const fingerprints = new Map<number, string>();
  for (const block of blocks) {
    const [least, most] = idRangeOf(block.ids);
    if (most <= behind || least > last) continue;
    for (let row = 0; row < block.ids.length; row++) {
      const id = block.ids[row];
      if (id > behind && id <= last) fingerprints.set(id, fingerprintOf(block, row));
    }
  }
  return fingerprints;
}

const idRanges = new WeakMap<Int32Array, readonly [least: number, most: number]>();

/** The least and largest id of a block. Cached by its column of ids, which most changes leave as it is. */
function idRangeOf(ids: Int32Array): readonly [least: number, most: number] {
  let known = idRanges.get(ids);
  if (known === undefined) {
    known = [
      ids.reduce((least, id) => Math.min(least, id), Infinity),
      ids.reduce((most, id) => Math.max(most, id), 0),
    ];
    idRanges.set(ids, known);
  }
  return known;
}
