import { describe, expect, test } from '@jest/globals';
import { fleetRequests } from '../../bench/requests.js';
import { InvalidInput } from '../../src/domain/invalidInput.js';
import type { Snapshot } from '../../src/engine/model/snapshot.js';
import { findCandidates, findCurrentCandidates } from '../../src/placement/candidateSearch.js';
import { fleetSnapshot } from '../support/fleetSnapshot.js';

const { snapshot: small, zone, host } = fleetSnapshot(4);
const { snapshot: large } = fleetSnapshot(40);
const { q1 } = fleetRequests({ zone, host, nodes: [] });
const OPTIONS = { limit: null, seed: 7 };

const snapshots = (current: Snapshot, likely: Snapshot | null) => ({
  likely,
  current: () => Promise.resolve(current),
});

describe('a search that begins in the snapshot that is likely to be current', () => {
  test.each([
    ['which it is', large, large],
    ['which it is not', large, small],
    ['of which none is likely', large, null],
  ])('%s', async (_, current, likely) => {
    const found = await findCurrentCandidates(snapshots(current, likely), q1, OPTIONS);
    const expected = await findCandidates(current, q1, OPTIONS);
    expect(found.snapshot).toBe(current);
    expect(found.candidates).toEqual(expected.candidates);
    expect(found.complete).toBe(true);
    expect(found.candidates.length).toBeGreaterThan(40);
  });

  test('is judged by the current one', async () => {
    const ignorant = Object.create(large, { classes: { value: { idOf: () => undefined } } }) as Snapshot;
    const found = await findCurrentCandidates(snapshots(large, ignorant), q1, OPTIONS);
    expect(found.candidates.length).toBeGreaterThan(40);
    await expect(findCurrentCandidates(snapshots(ignorant, large), q1, OPTIONS)).rejects.toThrow(
      InvalidInput,
    );
  });

  test('goes on where the slice ahead ended', async () => {
    const { snapshot } = fleetSnapshot(4000);
    const found = await findCurrentCandidates(snapshots(snapshot, snapshot), q1, OPTIONS);
    const expected = await findCandidates(snapshot, q1, OPTIONS);
    expect(found.candidates.length).toBe(expected.candidates.length);
  });
});
