import { describe, expect, test } from '@jest/globals';
import { rootRow } from '../../src/fleet/snapshot.js';
import { modifiedSource, type FleetSource, type WhatIf } from '../../src/moves/whatIf.js';
import { Operations } from '../../src/model/operation/operation.js';
import type { FleetSnapshot } from '../../src/fleet/fleetSnapshot.js';
import { fleetSnapshot } from '../support/fleetSnapshot.js';

const { snapshot } = fleetSnapshot(600);
const NONE: WhatIf = { remove: null, add: [], scale: [] };

/** Modifies the fleet. Returns it with the number of turns of the event loop until it was there. */
async function modified(whatIf: Partial<WhatIf>): Promise<{ fleet: FleetSnapshot; turns: number }> {
  const source: FleetSource = {
    current: () => Promise.resolve(snapshot),
    speculative: null,
    recheck: () => Promise.resolve([]),
    fullLoads: 0,
  };
  const operation = new Operations().begin();
  let isDone = false;
  let turns = 0;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const fleet = await modifiedSource(source, { ...NONE, ...whatIf }, operation).current();
  isDone = true;
  operation.end();
  return { fleet, turns };
}

function namesIn({ blocks }: FleetSnapshot): string[] {
  return blocks.flatMap(({ names }) => names).sort();
}

const [host, ...others] = snapshot.blocks.flatMap((block) =>
  block.uuids.filter((_, row) => rootRow(block, row) === row),
);

describe('a modification of many trees', () => {
  test('yields to others, and has all copies and removals', async () => {
    const removed = others.slice(0, 60);
    const { fleet, turns } = await modified({
      remove: { providers: removed },
      add: [
        { copyOf: host, count: 50 },
        { copyOf: removed[0], count: 20 },
      ],
    });
    expect(turns).toBeGreaterThan(10);
    const treeWith = (uuid: string): string[] => {
      const { block, row } = snapshot.locate(uuid)!;
      return block.names.slice(row, block.ends[row]);
    };
    const copies = (uuid: string, at: number, count: number): string[] =>
      Array.from({ length: count }, (_, n) =>
        treeWith(uuid).map((name) => `${name} (copy ${at}.${n + 1})`),
      ).flat();
    const gone = new Set(removed.flatMap(treeWith));
    const expected = [
      ...namesIn(snapshot).filter((name) => !gone.has(name)),
      ...copies(host, 1, 50),
      ...copies(removed[0], 2, 20),
    ];
    expect(namesIn(fleet)).toEqual(expected.sort());
    for (const uuid of removed) expect(fleet.locate(uuid)).toBeUndefined();
  });

  test('yields to others while it scales all capacities', async () => {
    const { fleet, turns } = await modified({ scale: [{ resourceClass: 'VCPU', factor: 2 }] });
    expect(turns).toBeGreaterThan(1);
    const vcpu = snapshot.classes.idOf('VCPU');
    for (const [at, { classes, capacities }] of snapshot.blocks.entries())
      expect(fleet.blocks[at].capacities).toEqual(
        capacities.map((capacity, index) => (classes[index] === vcpu ? 2 * capacity : capacity)),
      );
  });
});
