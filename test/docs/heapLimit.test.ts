import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { expect, test } from '@jest/globals';

const optionIn = (env: NodeJS.ProcessEnv): string =>
  execFileSync('sh', ['scripts/heapLimit.sh'], { env: { PATH: process.env.PATH, ...env } })
    .toString()
    .trim();

test('the heap limit is half of the memory, unless the user sets another', () => {
  const [, limit] = /^--max-old-space-size=(\d+)$/.exec(optionIn({}))!;
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20;
  expect(Number(limit) / (memory / 2)).toBeCloseTo(1, 2);
  expect(optionIn({ PLACEMENT_HEAP_MB: '500' })).toBe('--max-old-space-size=500');
  expect(optionIn({ NODE_OPTIONS: '--max-old-space-size=700' })).toBe('');
  expect(optionIn({ PLACEMENT_HEAP_MB: 'much' })).toBe('');
});

test.each(['package.json', 'deploy/systemd/placement-graphql.service'])(
  '%s starts with the limit',
  (file) => {
    expect(readFileSync(file, 'utf8')).toMatch(/\$\(sh \S*heapLimit\.sh\)/);
  },
);
