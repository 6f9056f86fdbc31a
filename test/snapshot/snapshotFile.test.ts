import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Block } from '../../src/engine/model/snapshot.js';
import { FeedPosition } from '../../src/feed/position.js';
import { FleetSnapshot } from '../../src/snapshot/model/fleetSnapshot.js';
import type { ProviderData } from '../../src/snapshot/model/providerData.js';
import {
  SnapshotFile,
  UnusableFile,
  type Restored,
  type Stored,
} from '../../src/snapshot/file/snapshotFile.js';
import { checksumsIn } from '../../src/snapshot/reconciliation/checksums.js';
import { ALL_IDS } from '../../src/snapshot/reconciliation/idRange.js';
import { fc } from '../support/fastCheck.js';
import { fleetSnapshot } from '../support/fleetSnapshot.js';
import { difference, fleets, names, pictureOf, snapshotOf } from '../support/randomFleets.js';

let directory: string;
let path: string;
let file: SnapshotFile;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'snapshot-'));
  path = join(directory, 'fleet.snapshot');
  file = new SnapshotFile(path);
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

const mark: Stored['mark'] = { writerId: 3, seq: 17, numbers: [2 ** 31 - 1, 5], epoch: 2 };

const read = (): Promise<Restored> => file.read(() => Promise.resolve());

/** As `toEqual`, which takes long for columns. */
const expectSame = (one: unknown, other: unknown): void => expect(isDeepStrictEqual(one, other)).toBe(true);

/** An index need not have equal entries for what there is none of. */
const columnsOf = (block: Block): object => ({ ...block, index: null });

const positions = fc
  .array(fc.tuple(fc.nat(), fc.nat(), fc.uniqueArray(fc.nat(), { maxLength: 5 })), { maxLength: 4 })
  .map((writers) =>
    FeedPosition.of(
      new Map(writers.map(([writer, lowWatermark, seen]) => [writer, { lowWatermark, seen: new Set(seen) }])),
    ),
  );

/** With names that need one byte to a character, or two. */
const namedFleets = fc
  .tuple(fleets, fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { minLength: 1 }))
  .map(([fleet, drawn]): ReadonlyMap<number, ProviderData> => {
    const named = ([id, provider]: [number, ProviderData]): [number, ProviderData] => [
      id,
      { ...provider, name: drawn[id % drawn.length] },
    ];
    return new Map([...fleet].map(named));
  });

test('what is read is what was written: blocks, free tree indices, look-ups, and all that comes of changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      namedFleets,
      namedFleets,
      namedFleets,
      positions,
      async (first, second, third, position) => {
        const snapshot = snapshotOf(first.values()).with(difference(first, second));
        expect(await file.write({ fleet: snapshot, position, mark })).toBe(true);
        const stored = await read();
        expect(stored.mark).toEqual(mark);
        expect(stored.position.isSame(position)).toBe(true);
        const restored = FleetSnapshot.restored(stored.fleet, names, stored.hashes);
        expectSame(restored.blocks.map(columnsOf), snapshot.blocks.map(columnsOf));
        expect(pictureOf(restored, second)).toEqual(pictureOf(snapshot, second));
        expect([restored.treeCount, restored.freeTreeIndices]).toEqual([
          snapshot.treeCount,
          snapshot.freeTreeIndices,
        ]);
        for (const { id, uuid } of [...first.values(), ...second.values()]) {
          expect(restored.locate(uuid)?.row).toBe(snapshot.locate(uuid)?.row);
          expect(restored.providerOf(id)).toEqual(snapshot.providerOf(id));
        }
        const changes = difference(second, third);
        expect(pictureOf(restored.with(changes), third)).toEqual(pictureOf(snapshot.with(changes), third));
      },
    ),
    { numRuns: 100 },
  );
});

test('a file with any byte changed, cut short or with more behind it is refused', async () => {
  const fleet = fleetSnapshot(12).snapshot;
  await file.write({
    fleet,
    position: FeedPosition.of(new Map([[1, { lowWatermark: 5, seen: new Set([7]) }]])),
    mark,
  });
  const whole = await readFile(path);
  await expect(read()).resolves.toMatchObject({ mark });
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, bits) => {
      const damaged = Buffer.from(whole);
      damaged[at] ^= bits;
      await writeFile(path, damaged);
      await expect(read()).rejects.toThrow(UnusableFile);
    }),
    { numRuns: 250, examples: [0, 31, 32, 39, 40, 71, 72].map((at) => [at, 1]) },
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), async (length) => {
      await writeFile(path, whole.subarray(0, length));
      await expect(read()).rejects.toThrow(UnusableFile);
    }),
    { numRuns: 100 },
  );
  await writeFile(path, Buffer.concat([whole, Buffer.of(0)]));
  await expect(read()).rejects.toThrow('damaged');
  await writeFile(path, whole);
  await expect(read()).resolves.toMatchObject({ mark });
});

test('a file has of a snapshot what cannot be computed, and nothing twice', async () => {
  const { snapshot } = fleetSnapshot(40);
  const { blocks, treeCount, freeTreeIndices } = snapshot;
  const size = async (fleet: Stored['fleet']): Promise<number> => {
    await file.write({ fleet, position: FeedPosition.START, mark });
    return (await stat(path)).size;
  };
  expect(await size(snapshot)).toBe(await size({ blocks, treeCount, freeTreeIndices }));
});

test('of what was read texts are not looked at, nor of what is written again', async () => {
  const { snapshot } = fleetSnapshot(600);
  await file.write({ fleet: snapshot, position: FeedPosition.START, mark });
  const before = await readFile(path);
  const stored = await read();
  const restored = FleetSnapshot.restored(stored.fleet, names, stored.hashes);
  const uuid = snapshot.blocks[1].uuids[3];
  expect(restored.locate(uuid)).toEqual({ block: restored.blocks[1], row: 3 });
  const toString = jest.spyOn(Buffer.prototype, 'toString');
  await file.write({ fleet: restored, position: FeedPosition.START, mark });
  expect(toString.mock.calls.filter(([encoding]) => encoding === 'latin1')).toEqual([]);
  toString.mockRestore();
  expect((await readFile(path)).equals(before)).toBe(true);
  expect(checksumsIn(restored.blocks, 'providers', ALL_IDS)).toEqual(
    checksumsIn(snapshot.blocks, 'providers', ALL_IDS),
  );
});

test('a file of another program, or that cannot be read, is refused with the reason', async () => {
  await expect(new SnapshotFile(join(directory, 'none')).read(() => Promise.resolve())).rejects.toThrow(
    'there is none',
  );
  await expect(new SnapshotFile(directory).read(() => Promise.resolve())).rejects.toThrow(/EISDIR/);
  await writeFile(path, Buffer.alloc(1_000, 'another program'));
  await expect(read()).rejects.toThrow('another version');
});

test('only its owner may read it, and a write that fails or is given up leaves what was there and nothing else', async () => {
  const { snapshot } = fleetSnapshot(600);
  await rm(path, { force: true });
  await file.write({ fleet: snapshot, position: FeedPosition.START, mark });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const before = await readFile(path);
  const tooLate = file.write(
    { fleet: snapshot, position: FeedPosition.START, mark },
    AbortSignal.abort(new Error('late')),
  );
  await expect(tooLate).rejects.toThrow('late');
  const unreadable = {
    ...snapshot,
    blocks: [snapshot.blocks[0], null as never],
    treeCount: 1,
    freeTreeIndices: [],
  };
  await expect(file.write({ fleet: unreadable, position: FeedPosition.START, mark })).rejects.toThrow(
    TypeError,
  );
  expect(await readdir(directory)).toEqual(['fleet.snapshot']);
  expect((await readFile(path)).equals(before)).toBe(true);
});

test('what a process left that died while it wrote is neither read nor in the way for long', async () => {
  const stored = { fleet: fleetSnapshot(3).snapshot, position: FeedPosition.START, mark };
  await file.write(stored);
  const before = await readFile(path);
  await writeFile(`${path}.new`, before.subarray(0, 100));
  expect(await file.write({ ...stored, mark: { ...mark, seq: 18 } })).toBe(false); // as if another process were writing
  expect((await read()).mark.seq).toBe(17);
  const longAgo = Date.now() / 1_000 - 120;
  await utimes(`${path}.new`, longAgo, longAgo);
  expect(await file.write({ ...stored, mark: { ...mark, seq: 19 } })).toBe(true);
  expect((await read()).mark.seq).toBe(19);
  expect(await readdir(directory)).toEqual(['fleet.snapshot']);
});

test('of several that write at once one does, and a reader always finds a whole file', async () => {
  const fleet = fleetSnapshot(300).snapshot;
  const write = (seq: number): Promise<boolean> =>
    new SnapshotFile(path).write({ fleet, position: FeedPosition.START, mark: { ...mark, seq } });
  await write(0);
  const written: number[] = [0];
  const rounds = Array.from({ length: 5 }, async (_, writer) => {
    for (let round = 1; round <= 6; round++) {
      const seq = 10 * writer + round;
      if (await write(seq)) written.push(seq);
      expect((await read()).fleet.blocks).toHaveLength(fleet.blocks.length);
    }
  });
  await Promise.all(rounds);
  expect(written).toContain((await read()).mark.seq);
  expect(written.length).toBeGreaterThan(1); // how many depends on who is there when another one has ended
  expect(await write(99)).toBe(true);
  expect((await read()).mark.seq).toBe(99);
});

test('a folder in which nothing may be written fails the write alone', async () => {
  const closed = await mkdtemp(join(directory, 'closed-'));
  await chmod(closed, 0o500);
  const elsewhere = new SnapshotFile(join(closed, 'missing', 'fleet.snapshot'));
  const { snapshot } = fleetSnapshot(1);
  await expect(elsewhere.write({ fleet: snapshot, position: FeedPosition.START, mark })).rejects.toThrow(
    /ENOENT|EACCES/,
  );
  await rm(closed, { recursive: true });
});
