import type { ExecutionResult } from 'graphql';
import { PreSerialized } from '../fastCandidates/plugin.js';
import type { Operation } from '../runtime/operation.js';

/** How long text is made before others have their turns (ms). */
const SLICE_MS = 3;

/** Longer text is encoded in parts of this many characters: Node encodes one string at a time, however long. */
const PART = 65_536;

/**
 * Makes the text of a result's data, with turns of other operations in between.
 * Returns what Yoga calls to serialize the rest of the result. A long answer is returned as its bytes.
 */
export async function answerText(
  data: ExecutionResult['data'],
  operation: Operation,
): Promise<(result: ExecutionResult) => string | Buffer> {
  const parts: Buffer[] = [];
  let text = '{"data":';
  let since = performance.now();
  for (const piece of piecesOf(data ?? null)) {
    text += piece;
    if (text.length >= PART) {
      parts.push(Buffer.from(text));
      text = '';
    }
    if (performance.now() - since < SLICE_MS) continue;
    // a mutation is answered even if it was aborted after its commit
    if (!operation.signal.aborted) await operation.pause().catch(() => undefined);
    since = performance.now();
  }
  return ({ errors, extensions }) => {
    const rest = JSON.stringify({ errors, extensions });
    text += rest === '{}' ? '}' : `,${rest.slice(1)}`;
    return parts.length === 0 ? text : Buffer.concat([...parts, Buffer.from(text)]);
  };
}

function* piecesOf(value: unknown): Generator<string> {
  if (value instanceof PreSerialized) yield* value.pieces();
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

/** Whether a value contains lists or objects. */
function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) return true;
  return false;
}
