const USUAL = /^(?:urn:uuid:)?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/;

/**
 * The lower-case 8-4-4-4-12 form of a UUID in any usual spelling: with or without dashes, in either case, in
 * braces, or as a `urn:uuid:` (rules 8-10). Undefined when it is none.
 */
export function normalizeUuid(text: string): string | undefined {
  const lower = text.toLowerCase();
  const bare = lower.startsWith('{') && lower.endsWith('}') ? lower.slice(1, -1) : lower;
  return USUAL.exec(bare)?.slice(1).join('-');
}
