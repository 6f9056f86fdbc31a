import { crc32 } from 'node:zlib';
import { InvalidInput } from '../domain/invalidInput.js';
import { FeedPosition, type Progress } from './position.js';

/** Where a row is within a stretch of the feed, in the order in which its rows are told: see readStretch. */
export interface RowKey {
  readonly providerId: number;
  /** Null: the provider is gone. */
  readonly generation: number | null;
  readonly writerId: number;
  readonly seq: number;
}

/** Where somebody who watches has come to. */
export interface FeedCursor {
  /** When the position was that of the feed, by the database's clock, in seconds. */
  readonly time: number;
  readonly position: FeedPosition;
  /** How far the stretch behind the position has been told; null: nothing of it. */
  readonly within: { readonly to: FeedPosition; readonly behind: RowKey } | null;
}

/** The feed is not kept as far back as a cursor: what was changed in between is no longer known. */
export class CursorExpired extends Error {
  constructor() {
    super('the changes behind this cursor are no longer known: read afresh and subscribe without since');
    this.name = 'CursorExpired';
  }
}

/** The first number of each cursor, so that another form can be told apart later. */
const FORM = 1;
const LONGEST = 100_000;
/** The most numbers above the settled one that a cursor may name: it says so in few characters. */
const MOST_SEEN = 100_000;
const CHECKSUM_BYTES = 4;

/** Writes the cursors of a stretch of the feed: one in front of it, one behind each of its rows. */
export class StretchCursors {
  private readonly start: Buffer;
  private readonly stretch: Buffer;

  constructor(time: number, from: FeedPosition, to: FeedPosition) {
    const start = new NumberWriter();
    start.put(FORM);
    start.put(time);
    start.putWriters(from.writers);
    this.start = start.bytes();
    const stretch = new NumberWriter();
    stretch.putWriters(changedWriters(from, to));
    this.stretch = stretch.bytes();
  }

  inFront(): string {
    return sealed([this.start]);
  }

  behind({ providerId, generation, writerId, seq }: RowKey): string {
    const key = new NumberWriter();
    for (const number of [providerId, generation === null ? 0 : generation + 1, writerId, seq])
      key.put(number);
    return sealed([this.start, this.stretch, key.bytes()]);
  }
}

/** @throws InvalidInput on a text that is no cursor */
export function decodeCursor(text: string): FeedCursor {
  try {
    return readCursor(new NumberReader(contentOf(text)));
  } catch (error) {
    if (!(error instanceof NoCursor)) throw error;
    throw new InvalidInput(['since'], `${JSON.stringify(text.slice(0, 60))} is no cursor of this server`);
  }
}

class NoCursor extends Error {}

function contentOf(text: string): Buffer {
  if (text.length > LONGEST) throw new NoCursor();
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < CHECKSUM_BYTES || bytes.toString('base64url') !== text) throw new NoCursor();
  const content = bytes.subarray(0, -CHECKSUM_BYTES);
  if (bytes.readUInt32BE(content.length) !== crc32(content)) throw new NoCursor();
  return content;
}

function readCursor(reader: NumberReader): FeedCursor {
  if (reader.take() !== FORM) throw new NoCursor();
  const time = reader.take();
  const writers = reader.takeWriters();
  const position = FeedPosition.of(writers);
  if (reader.isAtEnd) return { time, position, within: null };
  const to = FeedPosition.of(new Map([...writers, ...reader.takeWriters()]));
  const [providerId, above, writerId, seq] = [reader.take(), reader.take(), reader.take(), reader.take()];
  if (!reader.isAtEnd) throw new NoCursor();
  const generation = above === 0 ? null : above - 1;
  return { time, position, within: { to, behind: { providerId, generation, writerId, seq } } };
}

/** What a stretch changes of the position in front of it. */
function changedWriters(from: FeedPosition, to: FeedPosition): Map<number, Progress> {
  return new Map([...to.writers].filter(([writer]) => !to.isSameOf(writer, from)));
}

function sealed(parts: readonly Buffer[]): string {
  const content = Buffer.concat(parts);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([content, checksum]).toString('base64url');
}

/** Whole numbers from 0 to 2^53-1, seven bits to a byte, small ones in one. */
class NumberWriter {
  private readonly list: number[] = [];

  put(number: number): void {
    let rest = number;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.list.push(128 + (rest % 128));
    this.list.push(rest);
  }

  /** Of each writer its id, its settled number, and runs of numbers seen from there on, each number as a distance. */
  putWriters(writers: ReadonlyMap<number, Progress>): void {
    this.put(writers.size);
    let previous = 0;
    for (const [writer, { settled, seen }] of [...writers].sort(([a], [b]) => a - b)) {
      this.put(writer - previous);
      previous = writer;
      this.put(settled);
      const runs = runsOf(seen);
      this.put(runs.length);
      let end = settled;
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
      if (this.isAtEnd) throw new NoCursor();
      const byte = this.bytes[this.at++];
      number += (byte % 128) * unit;
      if (!Number.isSafeInteger(number)) throw new NoCursor();
      if (byte < 128) return number;
    }
  }

  takeWriters(): Map<number, Progress> {
    const writers = new Map<number, Progress>();
    let writer = 0;
    let room = MOST_SEEN;
    for (let left = this.take(); left > 0; left--) {
      writer += this.take();
      const settled = this.take();
      const seen = new Set<number>();
      let end = settled;
      for (let runs = this.take(); runs > 0; runs--) {
        const first = end + this.take();
        end = first + this.take();
        room -= end - first;
        if (room < 0 || !Number.isSafeInteger(end)) throw new NoCursor();
        for (let seq = first; seq < end; seq++) seen.add(seq);
      }
      writers.set(writer, { settled, seen });
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
