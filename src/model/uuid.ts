/** A usual spelling: lower case, with dashes after 8, 12, 16 and 20 digits. */
const USUAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** 32 hexadecimal digits. */
const DIGITS = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** The keys of consumers that OpenStack Placement accepts. Some of them are no UUID. */
const CONSUMER_KEY = /^[0-9a-f-]{36}$/i;

export function isUsualUuid(text: string): boolean {
  return USUAL.test(text);
}

/**
 * Returns the lower-case 8-4-4-4-12 form of a UUID. Accepts the same spellings as OpenStack Placement: in either case,
 * without dashes or with dashes anywhere, in braces, or as a `urn:uuid:` (rules 8-10). Returns undefined for other text.
 */
export function normalizeUuid(text: string): string | undefined {
  if (USUAL.test(text)) return text;
  const digits = text
    .toLowerCase()
    .replaceAll('urn:', '')
    .replaceAll('uuid:', '')
    .replaceAll(/^[{}]+|[{}]+$|-/g, '');
  return DIGITS.exec(digits)?.slice(1).join('-');
}

/** Returns the UUID of a row from its stored text. A stored text that is no UUID stands for itself. */
export function uuidOf(stored: string): string {
  return normalizeUuid(stored) ?? stored;
}

/** Returns whether another program may have stored a consumer under a text that is no UUID. */
export function isConsumerKey(text: string): boolean {
  return CONSUMER_KEY.test(text);
}
