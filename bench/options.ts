import { Command, InvalidArgumentError } from 'commander';

const PARTS = [
  'q1',
  'q2',
  'q3',
  'q4',
  'q5',
  'q6',
  'q7',
  'hard',
  'claims',
  'quotas',
  'deletes',
  'bulk',
  'usages',
  'lists',
  'passes',
  'reshape',
  'drain',
  'moves',
  'load',
  'refresh',
  'comparison',
  'start',
  'memory',
  'endurance',
  'writers',
  'workers',
  'observing',
  'workloads',
] as const;

/** The parts that take so long that they run only on request. */
const ON_REQUEST: readonly Part[] = [
  'deletes',
  'endurance',
  'hard',
  'moves',
  'writers',
  'workers',
  'observing',
  'quotas',
  'workloads',
];

/** A part of the benchmark that can be measured alone. */
export type Part = (typeof PARTS)[number];

export interface Options {
  /** Sizes of fleets, measured one after another. */
  readonly hosts: readonly number[];
  readonly seed: number;
  readonly only: ReadonlySet<Part>;
  /** How often the cheapest requests are repeated; everything else follows in proportion. */
  readonly repetitions: number;
  /** How long the endurance load lasts. */
  readonly minutes: number;
  /** Another commit, to be measured in turn with this one; null: none. */
  readonly compare: string | null;
  /** Whether to measure only OpenStack Placement in turn with this server. */
  readonly beside: boolean;
  /** With `beside`: whether to measure the REST API of this server. */
  readonly rest: boolean;
  /** Whether to measure only how each operation, and the memory after it, grows with the fleet. */
  readonly scale: boolean;
  /** Whether to measure only partitions of devices. */
  readonly partitions: boolean;
  /** Whether to count only the files of src/ that a claim and a search run. */
  readonly paths: boolean;
  /** The directory of the fleets' databases, which are kept between runs. */
  readonly directory: string;
  readonly profile: boolean;
  readonly markdown: boolean;
}

/** The fleets of the table of growth. */
const SIZES_OF_SCALE = [10_000, 100_000, 300_000];

/** The fleet of partitions: each host has 209 providers. */
const SIZES_OF_PARTITIONS = [1_000];

/** What the command line has in another form. */
interface Given {
  readonly hosts?: number[];
  readonly only: Part[];
  readonly compare?: string;
}

export function readOptions(): Options {
  const options = new Command('npm run bench --')
    .description('Measures the server over HTTP on made-up fleets, with durable commits, beside yardsticks.')
    .option(
      '--hosts <numbers>',
      `sizes of the fleets, with commas between them; 10000, with --scale ${SIZES_OF_SCALE.join(',')}, ` +
        `with --partitions ${SIZES_OF_PARTITIONS.join(',')}`,
      list(whole(1, 1_000_000)),
    )
    .option('--seed <number>', 'seed of the fleets', whole(1, 2 ** 31 - 1), 1)
    .option(
      '--only <parts>',
      `any of ${PARTS.join(',')}`,
      list(part),
      PARTS.filter((each) => !ON_REQUEST.includes(each)),
    )
    .option('--minutes <number>', 'how long the load of endurance lasts', whole(1, 1440), 20)
    .option('--repetitions <number>', 'how often the cheapest requests are sent', whole(1, 100_000), 300)
    .option('--compare <commit>', 'measure another commit in turn with this one, and tell what has changed')
    .option(
      '--beside',
      'measure OpenStack Placement on the same database, and print the table of the README',
      false,
    )
    .option('--rest', 'with --beside: measure the REST API of this server', false)
    .option(
      '--scale',
      'measure how each operation, and the memory after it, grows: the table of docs/scale.md',
      false,
    )
    .option('--partitions', 'measure claims and stranding of partitions of devices', false)
    .option('--paths', 'count the files and modules of src/ that one claim and one search run', false)
    .option('--profile', "write a CPU profile of each fleet's server", false)
    .option('--markdown', 'print the tables in Markdown', false)
    .parse()
    .opts<Omit<Options, 'directory' | 'hosts' | 'only' | 'compare'> & Given>();
  return {
    ...options,
    hosts: options.hosts ?? defaultSizes(options),
    compare: options.compare ?? null,
    only: new Set(options.only),
    directory: process.env.PLACEMENT_BENCH_DIR || '.cache/bench-data',
  };
}

function defaultSizes({ scale, partitions }: Pick<Options, 'scale' | 'partitions'>): readonly number[] {
  if (scale) return SIZES_OF_SCALE;
  return partitions ? SIZES_OF_PARTITIONS : [10_000];
}

function list<T>(read: (text: string) => T): (text: string) => T[] {
  return (text) => text.split(',').map(read);
}

function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`${text} is not a whole number from ${least} to ${most}`);
  };
}

function part(text: string): Part {
  const found = PARTS.find((name) => name === text);
  if (found === undefined) throw new InvalidArgumentError(`${text} is none of ${PARTS.join(', ')}`);
  return found;
}
