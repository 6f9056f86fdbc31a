import { fileURLToPath } from 'node:url';

/**
 * The program that tests start as a server: the bundle that `npm start` starts, too, because it is ready in half the time
 * of the compiled files. test/setup/database.mjs makes it. test/package starts the compiled files.
 */
export const PROGRAM = fileURLToPath(new URL('../../.cache/server/main.js', import.meta.url));
