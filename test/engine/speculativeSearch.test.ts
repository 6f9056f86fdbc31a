import { describe, expect, test } from '@jest/globals';
import { fleetRequests } from '../../bench/requests.js';
import { InvalidInput } from '../../src/model/input.js';
import type { Snapshot } from '../../src/fleet/snapshot.js';
import { findCandidates, findCurrentCandidates } from '../../src/search/candidateSearch.js';
import { Operations } from '../../src/model/operation/operation.js';
import { fleetSnapshot } from '../support/fleetSnapshot.js';

const { snapshot: small, zone, host } = fleetSnapshot(4);
const { snapshot: large } = fleetSnapshot(40);
const { q1 } = fleetRequests({ zone, host, nodes: [] });
const OPTIONS = { limit: 1_000, wantsComplete: true, operation: new Operations().begin(), seed: 7 };

const snapshots = (current: Snapshot, speculative: Snapshot | null) => ({
  speculative,
  fullLoads: 1,
  recheck: () => Promise.resolve([]),
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

  test('a search continues where its speculative slice ended', async () => {
    const { snapshot } = fleetSnapshot(1000);
    const found = await findCurrentCandidates(snapshots(snapshot, snapshot), q1, OPTIONS);
    const expected = await findCandidates(snapshot, q1, OPTIONS);
    expect(found.candidates.length).toBe(expected.candidates.length);
  });
});

describe('a search whose candidates are not wanted', () => {
  const ordered = { ...q1, orderBy: [{ fewestProviders: true }] };
  const only = { ...OPTIONS, wantsCandidates: false };

  test.each([
    ['without an order', q1],
    ['with an order', ordered],
  ])('counts them, and keeps none, %s', async (_, request) => {
    const { length } = (await findCandidates(large, request, OPTIONS)).candidates;
    for (const limit of [1, length - 1, length, length + 1]) {
      const found = await findCandidates(large, request, { ...only, limit });
      expect(found).toMatchObject({ candidates: [], complete: limit >= length });
    }
  });

  test('does not take place if nothing else is wanted, but is validated', async () => {
    const operation = new Operations().begin();
    const nothing = { ...only, wantsComplete: false, operation };
    expect(await findCandidates(large, q1, nothing)).toMatchObject({ plan: null, candidates: [] });
    expect(operation.activity.effort).toBe(0);
    await expect(findCandidates(large, { ...q1, groups: [] }, nothing)).rejects.toThrow(InvalidInput);
  });
});
