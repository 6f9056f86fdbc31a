import { crc32 } from 'node:zlib';
import { InvalidInput } from '../domain/invalidInput.js';
import { FeedPosition, type WriterProgress } from './position.js';

/** Where a row is within a range of the feed, in the order in which readRange gives its rows. */
export interface RowKey {
  /** Of the provider or consumer. */
  readonly id: number;
  /** Null: it was deleted. */
  readonly generation: number | null;
  readonly writerId: number;
  readonly seq: number;
}

/** How far a subscription has come. */
export interface FeedCursor {
  /** When the position was that of the feed, by the database's clock, in seconds. */
  readonly time: number;
  /** Of the feed, which a restore of a backup changes; 0: never restored. */
  readonly epoch: number;
  readonly position: FeedPosition;
  /** The last row sent of the range after the position; null: none of it. */
  readonly within: { readonly to: FeedPosition; readonly after: RowKey } | null;
}

/** Changes after the cursor may have been pruned from the feed. */
export class CursorExpired extends Error {
  constructor() {
    super('the changes behind this cursor are no longer known: read afresh and subscribe without since');
    this.name = 'CursorExpired';
  }
}

/**
 * The first number of each cursor: how it is encoded. Where there is no epoch it is left out, so that servers of the version 0.1.0, which
 * know none, and ours take each other's cursors.
 */
const WITHOUT_EPOCH = 1;
const WITH_EPOCH = 2;
/** Always with an epoch. A cursor of the one stream is none of the other, because it may be within a range of rows of its own. */
const OF_CONSUMERS = 3;
const MAX_LENGTH = 100_000;
/** The most sequences that a cursor may stand for: a few characters are enough to name a great many. */
const MAX_SEEN = 100_000;
const CHECKSUM_BYTES = 4;

/** What a cursor is of: the rows about providers or those about consumers. */
export type Stream = 'providers' | 'consumers';

/** Encodes the cursors of a range of the feed: one before it, one after each of its rows. */
export class RangeCursors {
  private readonly start: Buffer;
  private readonly range: Buffer;

  constructor(time: number, from: FeedPosition, to: FeedPosition, epoch = 0, stream: Stream = 'providers') {
    const start = new NumberWriter();
    const ofProviders = epoch === 0 ? [WITHOUT_EPOCH] : [WITH_EPOCH, epoch];
    for (const number of stream === 'providers' ? ofProviders : [OF_CONSUMERS, epoch]) start.put(number);
    start.put(time);
    start.putWriters(from.writers);
    this.start = start.bytes();
    const range = new NumberWriter();
    range.putWriters(changedWriters(from, to));
    this.range = range.bytes();
  }

  before(): string {
    return sealed([this.start]);
  }

  after({ id, generation, writerId, seq }: RowKey): string {
    const key = new NumberWriter();
    for (const number of [id, generation === null ? 0 : generation + 1, writerId, seq]) key.put(number);
    return sealed([this.start, this.range, key.bytes()]);
  }
}

/** @throws InvalidInput on a text that is no cursor of this stream */
export function decodeCursor(text: string, stream: Stream = 'providers'): FeedCursor {
  try {
    return readCursor(new NumberReader(contentOf(text)), stream);
  } catch (error) {
    if (!(error instanceof MalformedCursor)) throw error;
    throw new InvalidInput(
      ['since'],
      `${JSON.stringify(text.slice(0, 60))} is no cursor of this subscription`,
    );
  }
}

class MalformedCursor extends Error {}

function contentOf(text: string): Buffer {
  if (text.length > MAX_LENGTH) throw new MalformedCursor();
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < CHECKSUM_BYTES || bytes.toString('base64url') !== text) throw new MalformedCursor();
  const content = bytes.subarray(0, -CHECKSUM_BYTES);
  if (bytes.readUInt32BE(content.length) !== crc32(content)) throw new MalformedCursor();
  return content;
}

function readCursor(reader: NumberReader, stream: Stream): FeedCursor {
  const encoding = reader.take();
  const known = stream === 'consumers' ? [OF_CONSUMERS] : [WITHOUT_EPOCH, WITH_EPOCH];
  if (!known.includes(encoding)) throw new MalformedCursor();
  const epoch = encoding === WITHOUT_EPOCH ? 0 : reader.take();
  const time = reader.take();
  const writers = reader.takeWriters();
  const position = FeedPosition.of(writers);
  if (reader.isAtEnd) return { time, epoch, position, within: null };
  const to = FeedPosition.of(new Map([...writers, ...reader.takeWriters()]));
  const [id, next, writerId, seq] = [reader.take(), reader.take(), reader.take(), reader.take()];
  if (!reader.isAtEnd) throw new MalformedCursor();
  const generation = next === 0 ? null : next - 1;
  return { time, epoch, position, within: { to, after: { id, generation, writerId, seq } } };
}

/** The progress of the writers that have rows in a range. */
function changedWriters(from: FeedPosition, to: FeedPosition): Map<number, WriterProgress> {
  return new Map([...to.writers].filter(([writer]) => !to.isSameFor(writer, from)));
}

function sealed(parts: readonly Buffer[]): string {
  const content = Buffer.concat(parts);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([content, checksum]).toString('base64url');
}

/** Encodes whole numbers from 0 to 2^53-1, seven bits to a byte. */
class NumberWriter {
  private readonly list: number[] = [];

  put(number: number): void {
    let rest = number;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.list.push(128 + (rest % 128));
    this.list.push(rest);
  }

  /** Of each writer its id, its low-watermark, and the runs of sequences seen from there on, each number as a distance. */
  putWriters(writers: ReadonlyMap<number, WriterProgress>): void {
    this.put(writers.size);
    let previous = 0;
    for (const [writer, { lowWatermark, seen }] of [...writers].sort(([a], [b]) => a - b)) {
      this.put(writer - previous);
      previous = writer;
      this.put(lowWatermark);
      const runs = runsOf(seen);
      this.put(runs.length);
      let end = lowWatermark;
      for (const { first, length } of runs) {
        this.put(first - end);
        this.put(length);
        end = first + length;
      }
    }
  }

  bytes(): Buffer {
    return Buffer.from(this.list);
  }
}

class NumberReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  take(): number {
    let number = 0;
    for (let unit = 1; ; unit *= 128) {
      if (this.isAtEnd) throw new MalformedCursor();
      const byte = this.bytes[this.at++];
      number += (byte % 128) * unit;
      if (!Number.isSafeInteger(number)) throw new MalformedCursor();
      if (byte < 128) return number;
    }
  }

  takeWriters(): Map<number, WriterProgress> {
    const writers = new Map<number, WriterProgress>();
    let writer = 0;
    let seenLeft = MAX_SEEN;
    for (let left = this.take(); left > 0; left--) {
      writer += this.take();
      const lowWatermark = this.take();
      const seen = new Set<number>();
      let end = lowWatermark;
      for (let runs = this.take(); runs > 0; runs--) {
        const first = end + this.take();
        end = first + this.take();
        seenLeft -= end - first;
        if (seenLeft < 0 || !Number.isSafeInteger(end)) throw new MalformedCursor();
        for (let seq = first; seq < end; seq++) seen.add(seq);
      }
      writers.set(writer, { lowWatermark, seen });
    }
    return writers;
  }
}

function runsOf(numbers: ReadonlySet<number>): { first: number; length: number }[] {
  const runs: { first: number; length: number }[] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && last.first + last.length === number) last.length++;
    else runs.push({ first: number, length: 1 });
  }
  return runs;
}
