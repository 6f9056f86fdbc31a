import { crc32 } from 'node:zlib';
import { InvalidInput } from '../../model/input.js';
import { FeedPosition, type WriterProgress, Sequences } from './position.js';

/** The place of a row within a range of the feed, in the order in which channels return rows. */
export interface RowKey {
  /** The id of the provider or consumer. */
  readonly id: number;
  /** Null if it was deleted. */
  readonly generation: number | null;
  readonly writerId: number;
  readonly seq: number;
}

/** The position of a subscription. */
export interface FeedCursor {
  /** When `position` was the end of the feed, by the database's clock, in seconds. */
  readonly time: number;
  readonly position: FeedPosition;
  /** The partly sent range after `position`, and the last sent row. Null if no row was sent. */
  readonly within: { readonly to: FeedPosition; readonly after: RowKey } | null;
}

/** Changes after the cursor may have been pruned, or belong to a database that was replaced since. */
export class CursorExpired extends Error {
  constructor() {
    super('the cursor is too old: read the current state and subscribe without since');
    this.name = 'CursorExpired';
  }
}

/** The subscriptions that a cursor is for, by the first number of the cursor. */
const STREAMS = { providers: 1, consumers: 2 } as const;
export type Stream = keyof typeof STREAMS;

const MAX_LENGTH = 100_000;
const CHECKSUM_BYTES = 4;

/** Encodes the cursors of one range of the feed. */
export class RangeCursors {
  private readonly start: Buffer;
  private readonly range: Buffer;

  constructor(stream: Stream, time: number, from: FeedPosition, to: FeedPosition) {
    this.start = new NumberWriter().put(STREAMS[stream], time).putWriters(from.writers).encoded;
    const changed = [...to.writers].filter(([id]) => !to.isSameFor(id, from));
    this.range = new NumberWriter().putWriters(new Map(changed)).encoded;
  }

  before(): string {
    return sealed([this.start]);
  }

  after({ id, generation, writerId, seq }: RowKey): string {
    const deleted = generation === null ? 0 : generation + 1;
    return sealed([this.start, this.range, new NumberWriter().put(id, deleted, writerId, seq).encoded]);
  }
}

/** @throws InvalidInput if the text is no cursor of this stream */
export function decodeCursor(text: string, stream: Stream): FeedCursor {
  try {
    return readCursor(new NumberReader(contentOf(text)), stream);
  } catch (error) {
    if (!(error instanceof MalformedCursor)) throw error;
    throw new InvalidInput(
      ['since'],
      `${JSON.stringify(text.slice(0, 60))} is not a cursor of this subscription`,
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
  if (reader.take() !== STREAMS[stream]) throw new MalformedCursor();
  const time = reader.take();
  const writers = reader.takeWriters();
  const position = new FeedPosition(writers);
  if (reader.isAtEnd) return { time, position, within: null };
  const to = new FeedPosition(new Map([...writers, ...reader.takeWriters()]));
  const [id, next, writerId, seq] = [reader.take(), reader.take(), reader.take(), reader.take()];
  if (!reader.isAtEnd) throw new MalformedCursor();
  const generation = next === 0 ? null : next - 1;
  return { time, position, within: { to, after: { id, generation, writerId, seq } } };
}

function sealed(parts: readonly Buffer[]): string {
  const content = Buffer.concat(parts);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([content, checksum]).toString('base64url');
}

/** Encodes integers from 0 to 2^53-1, seven bits to a byte. */
class NumberWriter {
  private readonly bytes: number[] = [];

  get encoded(): Buffer {
    return Buffer.from(this.bytes);
  }

  put(...numbers: readonly number[]): this {
    for (let number of numbers) {
      for (; number > 127; number = Math.floor(number / 128)) this.bytes.push(128 + (number % 128));
      this.bytes.push(number);
    }
    return this;
  }

  /** Encodes writers in the order of ids. Ids and runs are distances from the previous number. */
  putWriters(writers: ReadonlyMap<number, WriterProgress>): this {
    this.put(writers.size);
    let previous = 0;
    for (const [writer, { lowWatermark, seen }] of [...writers].sort(([a], [b]) => a - b)) {
      this.put(writer - previous, lowWatermark, seen.runs.length);
      previous = writer;
      let end = lowWatermark;
      for (const [first, last] of seen.runs) {
        this.put(first - end, last - first);
        end = last;
      }
    }
    return this;
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
      number = safe(number + (byte % 128) * unit);
      if (byte < 128) return number;
    }
  }

  takeWriters(): Map<number, WriterProgress> {
    const writers = new Map<number, WriterProgress>();
    let writer = 0;
    for (let left = this.take(); left > 0; left--) {
      writer = safe(writer + this.take());
      const lowWatermark = this.take();
      const runs: [number, number][] = [];
      let end = lowWatermark;
      for (let count = this.take(); count > 0; count--) {
        const first = safe(end + this.take());
        end = safe(first + this.take());
        runs.push([first, end]);
      }
      writers.set(writer, { lowWatermark, seen: new Sequences(runs) });
    }
    return writers;
  }
}

function safe(number: number): number {
  if (!Number.isSafeInteger(number)) throw new MalformedCursor();
  return number;
}
