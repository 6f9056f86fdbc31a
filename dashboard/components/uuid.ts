export const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** Returns whether a consumer may have this uuid: another program may have stored one under a key that is none. */
export const isConsumerUuid = (text: string): boolean => isUuid(text) || /^[\da-f-]{36}$/i.test(text);

/** Returns a random UUID (version 4). Unlike crypto.randomUUID it also works without TLS. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
