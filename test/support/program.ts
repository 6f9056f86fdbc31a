import { fileURLToPath } from 'node:url';

/**
 * The program that tests start as a server. It is the bundle of `npm start`, because it is ready in
 * half the time of the compiled files. test/setup/database.mjs builds it. test/package starts the
 * compiled files.
 */
export const PROGRAM = fileURLToPath(new URL('../../.cache/server/main.js', import.meta.url));
