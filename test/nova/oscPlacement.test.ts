import { expect, test } from '@jest/globals';
import { prepared } from '../support/prepared.js';
import { compared } from './comparison.js';

prepared('PREPARED_OSC_PLACEMENT');

const MODULES = [
  'aggregate',
  'allocation',
  'allocation_candidate',
  'inventory',
  'plugin',
  'resource_class',
  'resource_provider',
  'trait',
  'usage',
].map((name) => `osc_placement.tests.functional.test_${name}`);

test('the functional tests of osc-placement pass', async () => {
  const { failing, count } = await compared('run_functional.py', ({ url }) => ['--url', url, ...MODULES]);
  expect(failing).toEqual(new Map());
  expect(count).toBe(160);
}, 900_000);
