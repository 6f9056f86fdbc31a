import { Readable } from 'node:stream';
import type { ExecutionResult } from 'graphql';
import { PreSerialized } from '../fastCandidates/plugin.js';
import type { Operation } from '../runtime/operation.js';

/** An answer longer than this is sent while it is made. */
const LONGEST_AT_ONCE = 262_144;

/** What is sent of a longer answer at a time, in characters. */
const PIECE = 65_536;

/** How long a longer answer is made before others have their turns (ms). */
const SLICE_MS = 8;

/**
 * The `stringify` of a result: its text, or, where that is long, a stream that makes it as it is taken, in turns of the
 * operation. (Yoga makes a response of either.) The operation ends with the text.
 */
export function answerText(operation: Operation): (result: ExecutionResult) => string {
  return ({ data, errors, extensions }) => {
    const pieces = resultPieces(data, { errors, extensions });
    let text = '';
    for (let piece = pieces.next(); !piece.done; piece = pieces.next()) {
      text += piece.value;
      if (text.length > LONGEST_AT_ONCE) return streamed(text, pieces, operation) as unknown as string;
    }
    operation.end();
    return text;
  };
}

function* resultPieces(data: ExecutionResult['data'], rest: object): Generator<string> {
  yield '{"data":';
  yield* piecesOf(data ?? null);
  const text = JSON.stringify(rest);
  yield text === '{}' ? '}' : `,${text.slice(1)}`;
}

function* piecesOf(value: unknown): Generator<string> {
  if (value instanceof PreSerialized) yield value.text();
  else if (!isNested(value)) yield JSON.stringify(value);
  else if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      yield at === 0 ? '[' : ',';
      yield* piecesOf(value[at]);
    }
    yield ']';
  } else {
    let lead = '{';
    for (const [key, inner] of Object.entries(value)) {
      yield `${lead}${JSON.stringify(key)}:`;
      yield* piecesOf(inner);
      lead = ',';
    }
    yield '}';
  }
}

/** Whether a value has lists or objects inside. */
function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) return true;
  return false;
}

/** Text as it is taken, with turns of others in between. */
function streamed(begun: string, pieces: Iterable<string>, operation: Operation): Readable {
  async function* bytes(): AsyncGenerator<Buffer> {
    let text = begun;
    let since = performance.now();
    for (const piece of pieces) {
      if (text.length >= PIECE) {
        yield Buffer.from(text);
        text = '';
        // one that was aborted before, as a mutation may be that has taken place, has no turns any more
        if (performance.now() - since > SLICE_MS && !operation.signal.aborted) {
          await operation.pause();
          since = performance.now();
        }
      }
      text += piece;
    }
    yield Buffer.from(text);
  }
  operation.beginSending();
  const stream = Readable.from(bytes(), { objectMode: false });
  stream.once('close', () => operation.end());
  // nobody would hear of an error: whoever sends it ends with its client
  operation.signal.addEventListener('abort', () => stream.destroy(), { once: true });
  return stream;
}
