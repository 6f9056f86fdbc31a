import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { intervalOf, mean, median, ratioInterval } from '../../bench/bootstrap.js';
import { measured, timeFigure, verdictOf } from '../../bench/figure.js';
import { orderOfPairs } from '../../bench/measure.js';
import { Samples } from '../../bench/samples.js';
import { growthTable } from '../../bench/scale/growthTable.js';
import { tables } from '../../bench/table.js';
import { Random } from '../oracle/random.js';
import { programEnvironment } from '../support/environment.js';
import { cases, IS_FULL } from '../support/length.js';
import { prepared } from '../support/prepared.js';

const PROGRAM = prepared('PREPARED_BENCH');

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'placement-bench-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Runs the compiled benchmark to its end. */
async function bench(...options: string[]): Promise<{ code: unknown; said: string; errorOutput: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...options], {
    env: { ...programEnvironment(), PLACEMENT_BENCH_DIR: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let errorOutput = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  child.stderr.on('data', (text: Buffer) => (errorOutput += text.toString()));
  const [code] = (await once(child, 'close')) as unknown[];
  return { code, said, errorOutput };
}

const CLIENTS = ['1 client', '4 clients', '16 clients', '64 clients'];

const rowsOfQueries = (...queries: string[]): string[] =>
  queries.flatMap((query) => [
    `${query}, limit 10`,
    `${query}, limit 1000`,
    `${query}, no limit`,
    `${query}, limit 10, search alone`,
    `${query}, limit 1000, search alone`,
    `${query}, no limit, search alone`,
  ]);

/** Parts that are measured for two fleets, and their rows. */
const PARTS = 'q5,q6,reshape,refresh,drain';
const ROWS_OF_PARTS = [...rowsOfQueries('q5', 'q6'), 'reshape', 'drain plan', 'refresh after one change'];

const ROWS = [
  ...rowsOfQueries('q1', 'q2', 'q3', 'q4', 'q5', 'q6'),
  '{ __typename }',
  'others while q1, no limit',
  'q7: 8 devices, 8 isolated groups, limit 1000',
  'q7: 8 devices, 8 isolated groups, no limit',
  'q7: 64 devices, 8 isolated groups, limit 1000',
  'q7: 12 devices, 13 isolated groups, no limit',
  ...CLIENTS.flatMap((clients) => [
    `claims, ${clients}`,
    `claims with a stub resolver, ${clients}`,
    `claims as bare SQL, ${clients}`,
  ]),
  'usages of one provider, 16 clients',
  '{ __typename }, 16 clients',
  'reshape',
  'drain plan',
  'start-up load',
  'start, until it says so',
  'start, first answer of q1',
  'start, processor time',
  'resident after the load',
  'resident at the peak of the load',
  'refresh after one change',
  'refresh without a change',
  'a read by primary key',
  'server, resident at the end',
  'server, resident at its peak',
];

/** The cells of each line of a table in Markdown. */
function cells(text: string): string[][] {
  return text.split('\n').flatMap((line) =>
    line.startsWith('| ')
      ? [
          line
            .slice(2, -2)
            .split(' | ')
            .map((cell) => cell.trim()),
        ]
      : [],
  );
}

test('parts are measured for two tiny fleets, with their growth, and profiles of the servers are written', async () => {
  const options = ['--hosts', '20,21', '--repetitions', '1', '--profile', '--markdown', '--only', PARTS];
  const growth = ['q5, limit 10, growth', 'q6, limit 10, growth'];
  expect(await measuredBy(options, [...ROWS_OF_PARTS, ...growth])).not.toMatch(/claims|q1/);
  const profiles = await readdir(join(directory, 'profiles'));
  expect(profiles.sort()).toEqual(
    [20, 21].map((hosts) => expect.stringMatching(`-hosts-${hosts}\\.cpuprofile$`)),
  );
}, 360_000);

(IS_FULL ? test : test.skip)(
  'everything is measured for a tiny fleet',
  () => measuredBy(['--hosts', '20', '--repetitions', '1', '--markdown'], ROWS),
  360_000,
);

/** Runs the benchmark, which must print the given rows without an empty figure. Returns what it prints. */
async function measuredBy(options: string[], expected: string[]): Promise<string> {
  const { code, said, errorOutput } = await bench(...options);
  if (code !== 0) throw new Error(`the benchmark ended with ${String(code)}:\n${errorOutput}`);
  const rows = cells(said);
  const named = new Set(rows.map(([what]) => what));
  expect(expected.filter((row) => !named.has(row))).toEqual([]);
  expect(rows.filter((row) => row[0] !== '' && row[1] === '')).toEqual([]);
  return said;
}

(IS_FULL ? test : test.skip)(
  'the files that a claim and a search run are counted',
  async () => {
    const { said } = await bench('--paths');
    expect(said).toMatch(/^q1, limit 10: \d+ files \(\d+ functions\), \d+ modules\n {2}src\//m);
    expect(said).toMatch(
      /^a search and claim: .*\n(?: {2}.*\n)* {2}src\/store\/ledger\/transaction\.ts \d+$/m,
    );
  },
  120_000,
);

(IS_FULL ? test : test.skip)(
  'partitions are measured for one host',
  async () => {
    const options = ['--partitions', '--hosts', '1', '--repetitions', '1', '--markdown'];
    const said = await measuredBy(options, [
      'claim of a whole VGPU',
      'claim of a partition',
      'claim of a partition, leastStranding',
      'server, 25 partitions a card',
      'whole cards that fit, Alibaba, leastStranding',
      'whole cards that fit, all-balanced, leastStranding',
    ]);
    expect(said).toContain('by free slices; first fit');
  },
  360_000,
);

test('an unknown part is refused', async () => {
  const { code, errorOutput } = await bench('--only', 'q1,q8');
  expect({ code, errorOutput }).toEqual({
    code: 1,
    errorOutput: expect.stringContaining('q8 is none of q1, q2'),
  });
});

test('the median and the 99th percentile are times that were measured', () => {
  const samples = new Samples(Array.from({ length: 200 }, (_, index) => 200 - index));
  expect([samples.median, samples.p99]).toEqual([100, 198]);
  expect(new Samples([3, 1, 2]).median).toBe(2);
  expect(new Samples([7]).p99).toBe(7);
});

test('of two works that are compared each comes first in every other round', () => {
  expect([0, 1, 2].map((round) => orderOfPairs(4, round))).toEqual([
    [0, 1, 2, 3],
    [1, 0, 3, 2],
    [0, 1, 2, 3],
  ]);
});

test('the table of growth has the first and the next times of an operation, and the memory after it', () => {
  const costs = new Map([
    ['start', [{ first: 1_600, next: null, resident: 150.4 }]],
    ['totals', [{ first: 31.4, next: 4.19, resident: 190 }]],
    ['audit', [{ first: 'TIMEOUT', next: null, resident: 1_300 }]],
  ]);
  expect(growthTable([10_000], costs).split('\n').slice(2)).toEqual([
    '| start | 1,600 ms; 150 MiB |',
    '| totals | 31; 4.2 ms; 190 MiB |',
    '| audit | TIMEOUT; 1,300 MiB |',
  ]);
});

test('a result is compared by its ratio to the reference, or by its value', () => {
  const yardstick = { name: 'a yardstick', value: 10, unit: 'ms' } as const;
  const checks = [
    { yardstick, bar: { atMost: 4 } },
    { yardstick, bar: { atLeast: 5 } },
    { bar: { atMost: 39 } },
    { yardstick },
  ];
  const figure = timeFigure(new Samples([40]), { hosts: 1, what: 'a figure', detail: '', checks });
  expect(checks.map((check) => measured(figure, check))).toEqual([4, 4, 40, 4]);
  expect(checks.map((check) => verdictOf(figure, check))).toEqual(['met', 'NOT MET', 'NOT MET', null]);
  expect(cells(tables([figure], true)).slice(2)).toEqual([
    ['a figure', '40.0 ms', '', '40.0 ms', '1', '', 'a yardstick: 10.0 ms', '4.00', 'at most 4', 'met', ''],
    ['', '', '', '', '', '', 'a yardstick: 10.0 ms', '4.00', 'at least 5', 'NOT MET', ''],
    ['', '', '', '', '', '', '', '', 'at most 39 ms', 'NOT MET', ''],
    ['', '', '', '', '', '', 'a yardstick: 10.0 ms', '4.00', '', '', ''],
  ]);
});

describe('intervals', () => {
  const random = new Random(7);
  /** Times as they are: most alike, some much longer, neighbours alike. */
  const draw = (count: number, scale: number): number[] => {
    let busy = 0;
    return Array.from({ length: count }, () => {
      busy = 0.7 * busy + random.between(0, 1000) / 1000;
      return scale * (1 + busy + (random.chance(3) ? 10 : 0));
    });
  };

  test('confidence intervals contain the true value as often as stated', () => {
    const truth = median(draw(100_000, 1));
    let [inside, above] = [0, 0];
    const trials = cases(300, 150);
    for (let trial = 0; trial < trials; trial++) {
      const { low, high } = intervalOf(draw(120, 1), median)!;
      if (low <= truth && truth <= high) inside++;
      if (low > truth) above++;
    }
    expect(inside / trials).toBeGreaterThan(0.83);
    expect(above / trials).toBeLessThan(0.13);
  });

  test('of a ratio are narrow where both were measured in the same rounds', () => {
    const weather = draw(200, 1);
    const others = weather.map((time) => 2 * time);
    const { low, high } = ratioInterval(weather, others, mean)!;
    expect([low, high]).toEqual([0.5, 0.5]);
    expect(ratioInterval(weather, others.slice(1), mean)).toBeNull();
    expect(intervalOf([1, 2, 3, 4], median)).toBeNull();
  });

  test('that have a bar in them leave it undecided', () => {
    const figure = timeFigure(new Samples(draw(100, 10)), { hosts: 1, what: 'a figure', detail: '' });
    const { low, high } = intervalOf(figure.series!.values, median)!;
    const bars = [{ atMost: high }, { atMost: (low + high) / 2 }, { atMost: 0.9 * low }, { atLeast: low }];
    expect(bars.map((bar) => verdictOf(figure, { bar }))).toEqual(['met', 'undecided', 'NOT MET', 'met']);
  });
});

/** HEAD is this checkout, which is compiled already. A checkout from an archive has no commits to compare with. */
const head = gitHead();
const whenGit = head === null ? test.skip : test;
/** Two fleets and two servers: a minute of processor time. */
const whenFull = IS_FULL ? whenGit : test.skip;

function gitHead(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null; // no git, or no repository
  }
}

whenFull(
  'another commit is measured in turn with this one',
  async () => {
    await mkdir(join(directory, 'commits'));
    await symlink(process.cwd(), join(directory, 'commits', head!.slice(0, 10)));
    const { code, said, errorOutput } = await bench(
      '--hosts',
      '20',
      '--repetitions',
      '6',
      '--compare',
      'HEAD',
    );
    expect({ code, errorOutput }).toEqual({
      code: 0,
      errorOutput: expect.stringContaining('preparing two fleets'),
    });
    expect(said).toMatch(/^q1, limit 10 +[\d.]+ ms, there +[\d.]+ ms, [\d.]+ times \([\d.]+ to [\d.]+\)/m);
    expect(said).toMatch(/^a search and claim .* (SLOWER|faster|no change seen)$/m);
  },
  300_000,
);

whenGit('a commit that does not exist is rejected', async () => {
  const { code, errorOutput } = await bench('--compare', 'no-such-commit');
  expect({ code, errorOutput }).toEqual({ code: 1, errorOutput: expect.stringContaining('no-such-commit') });
});
