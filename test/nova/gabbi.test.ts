import { expect, test } from '@jest/globals';
import { prepared } from '../support/prepared.js';
import { compared } from './comparison.js';

const SOURCE = prepared('PREPARED_GABBI');

/** All entries of the files that need neither another policy nor CORS: of the API, and of who may use it. */
const ENTRIES = 857 + 268;

test("Placement's own tests of its API pass", async () => {
  const { failing, count } = await compared('run_gabbi.py', ({ rootUrl, asksKeystone }) => [
    ...['--source', SOURCE, '--url', rootUrl],
    ...(asksKeystone ? ['--keystone'] : []),
  ]);
  expect(failing).toEqual(new Map());
  expect(count).toBe(ENTRIES);
}, 900_000);
