import { createHash } from 'node:crypto';

/** From this length (characters) on, V8 gives all texts of one length the same hash (seen with Node 20). */
const UNHASHED = 16_384;

/** Returns a key of a text for maps: a long text's own hash, since a map would compare it with all of its length. */
export function textKey(text: string): string {
  return text.length < UNHASHED ? text : createHash('sha256').update(text).digest('base64');
}
