import type { ExecutionResult } from 'graphql';
import type { Piece } from '../../api/candidates/jsonText.js';
import { PreSerialized } from '../../api/candidates/textPlugin.js';
import type { Operation } from '../../model/operation/operation.js';

/** The time slice after which the serialization yields to other operations (ms). */
const SLICE_MS = 3;

/** Text is encoded in parts of this length (characters): Node cannot interrupt an encoding. */
const PART = 65_536;

/**
 * Serializes the data of a result. Yields to other operations between time slices.
 * Returns the function by which Yoga serializes the whole result: to bytes if it is long.
 *
 * @throws CostExceeded for too much text that no resolver has counted
 */
export async function answerText(
  data: ExecutionResult['data'],
  operation: Operation,
): Promise<(result: ExecutionResult) => string | Buffer> {
  const parts: Uint8Array[] = [];
  let text = '{"data":';
  let since = performance.now();
  for (const piece of piecesOf(data ?? null, operation)) {
    if (typeof piece === 'string') text += piece;
    if (text !== '' && (typeof piece !== 'string' || text.length >= PART)) {
      parts.push(Buffer.from(text));
      text = '';
    }
    if (typeof piece !== 'string') parts.push(...piece);
    if (performance.now() - since < SLICE_MS) continue;
    // an aborted operation cannot pause, but a mutation must report its commit
    if (!operation.signal.aborted) await operation.pause().catch(() => undefined);
    since = performance.now();
  }
  return ({ errors, extensions }) => {
    const rest = JSON.stringify({ errors, extensions });
    text += rest === '{}' ? '}' : `,${rest.slice(1)}`;
    return parts.length === 0 ? text : Buffer.concat([...parts, Buffer.from(text)]);
  };
}

function* piecesOf(value: unknown, operation: Operation): Generator<Piece> {
  if (value instanceof PreSerialized) yield* counted(value.pieces(), operation);
  else if (!isNested(value)) yield JSON.stringify(value);
  else if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      yield at === 0 ? '[' : ',';
      yield* piecesOf(value[at], operation);
    }
    yield ']';
  } else {
    let lead = '{';
    for (const [key, inner] of Object.entries(value)) {
      yield `${lead}${JSON.stringify(key)}:`;
      yield* piecesOf(inner, operation);
      lead = ',';
    }
    yield '}';
  }
}

function* counted(pieces: Iterable<Piece>, operation: Operation): Generator<Piece> {
  for (const piece of pieces) {
    operation.countText(lengthOf(piece));
    yield piece;
  }
}

function lengthOf(piece: Piece): number {
  return typeof piece === 'string' ? piece.length : piece.reduce((sum, text) => sum + text.length, 0);
}

/** Returns whether a value contains lists or objects. */
function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) return true;
  return false;
}
