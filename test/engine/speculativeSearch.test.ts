import { describe, expect, test } from '@jest/globals';
import { fleetRequests } from '../../bench/requests.js';
import { InvalidInput } from '../../src/domain/invalidInput.js';
import type { Snapshot } from '../../src/engine/model/snapshot.js';
import { findCandidates, findCurrentCandidates } from '../../src/placement/candidateSearch.js';
import { Operations } from '../../src/runtime/operation.js';
import { fleetSnapshot } from '../support/fleetSnapshot.js';

const { snapshot: small, zone, host } = fleetSnapshot(4);
const { snapshot: large } = fleetSnapshot(40);
const { q1 } = fleetRequests({ zone, host, nodes: [] });
const OPTIONS = { limit: 1_000, wantsComplete: true, operation: new Operations().begin(), seed: 7 };

const snapshots = (current: Snapshot, speculative: Snapshot | null) => ({
  speculative,
  fullLoads: 1,
  reread: () => Promise.resolve(false),
  current: () => Promise.resolve(current),
});

describe('a search that begins speculatively in the last snapshot', () => {
  test.each([
    ['which is current', large, large],
    ['which is outdated', large, small],
    ['where there is none', large, null],
  ])('%s', async (_, current, speculative) => {
    const found = await findCurrentCandidates(snapshots(current, speculative), q1, OPTIONS);
    const expected = await findCandidates(current, q1, OPTIONS);
    expect(found.snapshot).toBe(current);
    expect(found.candidates).toEqual(expected.candidates);
    expect(found.complete).toBe(true);
    expect(found.candidates.length).toBeGreaterThan(40);
  });

  test('is validated in the current one', async () => {
    const ignorant = Object.create(large, { classes: { value: { idOf: () => undefined } } }) as Snapshot;
    const found = await findCurrentCandidates(snapshots(large, ignorant), q1, OPTIONS);
    expect(found.candidates.length).toBeGreaterThan(40);
    await expect(findCurrentCandidates(snapshots(ignorant, large), q1, OPTIONS)).rejects.toThrow(
      InvalidInput,
    );
  });

  test('goes on where the speculative slice ended', async () => {
    const { snapshot } = fleetSnapshot(1000);
    const found = await findCurrentCandidates(snapshots(snapshot, snapshot), q1, OPTIONS);
    const expected = await findCandidates(snapshot, q1, OPTIONS);
    expect(found.candidates.length).toBe(expected.candidates.length);
  });
});
