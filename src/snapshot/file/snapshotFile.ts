import { createHash } from 'node:crypto';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { endianness } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { FeedPosition, type WriterProgress } from '../../feed/position.js';
import { VERSION } from '../../runtime/version.js';
import type { StoredFleet } from '../model/fleetSnapshot.js';
import type { UuidHashes } from '../model/loadedProviders.js';
import { blockFrom, bytesOf, LAYOUT_TEXT, type ReadBlock } from './blockBytes.js';
import type { Mark } from './mark.js';

/** What is stored: a fleet, the position of the change feed at which it was so, and the mark that was set in the feed after that. */
export interface Stored {
  readonly fleet: StoredFleet;
  readonly position: FeedPosition;
  readonly mark: Mark;
}

/** What was read, and the hashes of the uuids of its blocks. */
export interface Restored extends Stored {
  readonly hashes: UuidHashes;
}

/** The file is not there, or not to be relied on. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile';
}

/** The reason where nobody has written it. */
export const NO_FILE = 'there is none';

interface Head extends Omit<StoredFleet, 'blocks'> {
  readonly blockCount: number;
  readonly writers: readonly (readonly [writer: number, lowWatermark: number, seen: readonly number[]])[];
  readonly mark: Mark;
}

/** What a file begins with: whatever else is of another program, of another version of this one, or of another kind of machine. */
const FORMAT = createHash('sha256').update(`${VERSION} ${endianness()} ${LAYOUT_TEXT}`).digest();

const CHECKSUM_BYTES = 32;
/** Parts are filled up with spaces to a multiple of it, so that the columns of each begin where they may. */
const ALIGNMENT = 8;

/** Of a part: its length, and the checksum. */
const PREFIX_BYTES = 8 + CHECKSUM_BYTES;

/** A file that is being written and has not grown for so long (ms) was left by a process that died. */
const ABANDONED_MS = 60_000;

/**
 * A file with a fleet. It begins with the format; then come parts, each with its length and its checksum, which is over all that comes
 * before it, too: the head, and the blocks.
 */
export class SnapshotFile {
  constructor(private readonly path: string) {}

  /** How far from now it was written (ms), by the clock of this machine, which may have jumped; infinite where there is none. */
  async age(): Promise<number> {
    return ageOf(this.path);
  }

  /**
   * Reads it. `begun` is told of what it begins with, and may reject to end it there.
   * @throws UnusableFile
   */
  async read(begun: (start: Omit<Stored, 'fleet'>) => Promise<void>): Promise<Restored> {
    const handle = await open(this.path, 'r').catch((error: NodeJS.ErrnoException) => {
      throw new UnusableFile(error.code === 'ENOENT' ? NO_FILE : error.message);
    });
    try {
      const reader = new PartReader(handle, (await handle.stat()).size);
      const head = await readHead(reader);
      const { position, mark } = head;
      const rest = reader.readRest();
      rest.catch(() => undefined); // told below
      await begun({ position, mark });
      await rest;
      return { ...(await readFleet(reader, head)), position, mark };
    } catch (error) {
      throw isOfSystem(error) ? new UnusableFile(error.message, { cause: error }) : error;
    } finally {
      await handle.close();
    }
  }

  /**
   * Puts this in the place of what is there, unless another process is about to do so: whether it did. Whoever reads has the one or the
   * other, and after a power failure too. The event loop goes on between the blocks.
   */
  async write({ fleet, position, mark }: Stored, signal?: AbortSignal): Promise<boolean> {
    const unfinished = `${this.path}.new`;
    const handle = await createFile(unfinished);
    if (handle === null) return false;
    try {
      const writer = new PartWriter(handle);
      await writer.begin();
      await writer.write([Buffer.from(JSON.stringify(headOf({ fleet, position, mark })))]);
      for (const block of fleet.blocks) {
        signal?.throwIfAborted();
        await writer.write(bytesOf(block));
      }
      await handle.sync();
      await handle.close();
      await rename(unfinished, this.path);
    } catch (error) {
      await handle.close().catch(() => undefined);
      await rm(unfinished, { force: true });
      throw error;
    }
    return true;
  }
}

/** Null: another process has created it, and writes. What a process has left that died is replaced. */
async function createFile(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const age = await ageOf(path);
    if (age === Infinity || age < ABANDONED_MS) return null;
    await rm(path, { force: true });
    return open(path, 'wx', 0o600);
  }
}

/** Of a disk that cannot be read, say. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

async function ageOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  return found === null ? Infinity : Math.abs(Date.now() - found.mtimeMs);
}

/** Of the fleet, which may be a whole snapshot, nothing but what it says here. */
function headOf({ fleet: { blocks, treeCount, freeTreeIndices }, position, mark }: Stored): Head {
  const writers = Array.from(position.writers, ([writer, { lowWatermark, seen }]) => {
    return [writer, lowWatermark, [...seen]] as const;
  });
  return { blockCount: blocks.length, treeCount, freeTreeIndices, writers, mark };
}

async function readHead(reader: PartReader): Promise<Head & Pick<Stored, 'position'>> {
  await reader.begin();
  const head = JSON.parse((await reader.readNext()).toString()) as Head;
  const progress = head.writers.map(([writer, lowWatermark, seen]): [number, WriterProgress] => {
    return [writer, { lowWatermark, seen: new Set(seen) }];
  });
  return { ...head, position: FeedPosition.of(new Map(progress)) };
}

/** Blocks that are read before others have their turn: some ten milliseconds. */
const BLOCKS_AT_ONCE = 16;

async function readFleet(reader: PartReader, head: Head): Promise<Pick<Restored, 'fleet' | 'hashes'>> {
  const { blockCount, treeCount, freeTreeIndices } = head;
  const read: ReadBlock[] = [];
  while (read.length < blockCount) {
    read.push(blockFrom(reader.next()));
    if (read.length % BLOCKS_AT_ONCE === 0) await setImmediate();
  }
  reader.end();
  const hashes = new Map(read.map((each) => [each.block, each.hashes]));
  const fleet = { blocks: read.map(({ block }) => block), treeCount, freeTreeIndices };
  return { fleet, hashes: (block) => hashes.get(block)! };
}

/** The checksum of a part: of its bytes, its length, and the checksum of what comes before it. */
function checksumOf(before: Buffer, length: Buffer, parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256').update(before).update(length);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function lengthBytes(length: number): Buffer {
  const bytes = Buffer.alloc(PREFIX_BYTES - CHECKSUM_BYTES);
  bytes.writeBigUInt64LE(BigInt(length));
  return bytes;
}

class PartWriter {
  private checksum: Buffer = FORMAT;
  /** One for all parts: with one for each the process would need as much memory more as the file has. */
  private buffer = Buffer.alloc(0);

  constructor(private readonly handle: FileHandle) {}

  async begin(): Promise<void> {
    await this.handle.appendFile(FORMAT);
  }

  async write(parts: readonly Buffer[]): Promise<void> {
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    const filled = [...parts, Buffer.alloc(-bytes & (ALIGNMENT - 1), ' ')];
    const length = lengthBytes(bytes + filled.at(-1)!.length);
    this.checksum = checksumOf(this.checksum, length, filled);
    const pieces = [length, this.checksum, ...filled];
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (this.buffer.length < size) this.buffer = Buffer.allocUnsafeSlow(2 * size);
    let at = 0;
    for (const piece of pieces) at += piece.copy(this.buffer, at);
    await this.handle.appendFile(this.buffer.subarray(0, size));
  }
}

class PartReader {
  private at = 0;
  private checksum: Buffer = FORMAT;
  /** What of the file was read, up to its end, and where it begins. */
  private rest: Buffer = Buffer.alloc(0);
  private restAt = 0;

  constructor(
    private readonly handle: FileHandle,
    private readonly size: number,
  ) {}

  async begin(): Promise<void> {
    if (!(await this.read(FORMAT.length)).equals(FORMAT)) throw new UnusableFile('it is of another version');
  }

  /** The next part, read by itself. */
  async readNext(): Promise<Buffer> {
    const prefix = await this.read(PREFIX_BYTES);
    return this.checked(prefix, await this.read(lengthIn(prefix)));
  }

  /** Reads all that follows into one piece of memory, which the columns of the blocks share. */
  async readRest(): Promise<void> {
    this.restAt = this.at;
    this.rest = await this.read(this.size - this.at);
    this.at = this.restAt;
  }

  /** The next part of the rest. */
  next(): Buffer {
    const prefix = this.take(PREFIX_BYTES);
    return this.checked(prefix, this.take(lengthIn(prefix)));
  }

  end(): void {
    if (this.at !== this.size) throw new UnusableFile('it is damaged');
  }

  private checked(prefix: Buffer, part: Buffer): Buffer {
    this.checksum = checksumOf(this.checksum, prefix.subarray(0, -CHECKSUM_BYTES), [part]);
    if (!this.checksum.equals(prefix.subarray(-CHECKSUM_BYTES))) throw new UnusableFile('it is damaged');
    return part;
  }

  private take(length: number): Buffer {
    this.assertThere(length);
    const start = this.at - this.restAt;
    this.at += length;
    return this.rest.subarray(start, start + length);
  }

  /** So many bytes, in memory of their own. */
  private async read(length: number): Promise<Buffer> {
    this.assertThere(length);
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let filled = 0; filled < length;) {
      const wanted = Math.min(length - filled, READ_AT_ONCE);
      const { bytesRead } = await this.handle.read(bytes, filled, wanted, this.at + filled);
      if (bytesRead === 0) throw new UnusableFile('it is cut short');
      filled += bytesRead;
    }
    this.at += length;
    return bytes;
  }

  private assertThere(length: number): void {
    if (length > this.size - this.at) throw new UnusableFile('it is cut short');
  }
}

/** The most that the system reads at a time. */
const READ_AT_ONCE = 2 ** 30;

function lengthIn(prefix: Buffer): number {
  return Number(prefix.readBigUInt64LE());
}
