import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { text as readStream } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { EXIT, Failure } from '../failure.js';
import { checkFleet, type ParsedFleet, type SourceOptions, type SourceText } from './source.js';

type Parse = (texts: readonly SourceText[], options: SourceOptions) => ParsedFleet | Promise<ParsedFleet>;

interface Source {
  readonly load: () => Promise<Parse>;
  /** The programs that print the source on this host, in order of preference. Absent if there is none. */
  readonly programs?: readonly (readonly [program: string, ...args: string[]])[];
  /** The package that has them. */
  readonly package?: string;
}

const KUBECTL = ['kubectl', 'get', 'nodes,pods,resourceslices,resourceclaims', '-A', '-o', 'json'] as const;

/** The sources by name. A parser and its libraries are loaded on their first use. */
export const SOURCES = {
  hwloc: {
    load: async () => (await import('./hwloc.js')).parseHwloc,
    programs: [
      ['lstopo-no-graphics', '--of', 'xml'],
      ['lstopo', '--of', 'xml'],
    ],
    package: 'hwloc',
  },
  kubernetes: {
    load: async () => (await import('./kubernetes.js')).parseKubernetes,
    programs: [KUBECTL],
    package: 'kubectl',
  },
  csv: { load: async () => (await import('./csv.js')).parseCsv },
  slurm: {
    load: async () => (await import('./slurm.js')).parseSlurm,
    programs: [['scontrol', 'show', 'nodes']],
    package: 'slurm-client',
  },
  libvirt: {
    load: async () => (await import('./libvirt.js')).parseLibvirt,
    programs: [['virsh', 'capabilities']],
    package: 'libvirt-clients',
  },
  nova: { load: async () => (await import('./nova.js')).parseNova },
} satisfies Record<string, Source>;

export type SourceName = keyof typeof SOURCES;

export interface SourceRequest extends Omit<SourceOptions, 'mapping'> {
  readonly source: SourceName;
  /** The paths of the files; `-` is standard input. */
  readonly files: readonly string[];
  /** Whether to run the program of the source on this host. */
  readonly discover?: boolean;
  /** The path of the mapping file. */
  readonly mapping?: string;
}

/** The largest file that is read. */
const MAX_BYTES = 128 * 2 ** 20;

/** Reads the hosts of a source. Throws a Failure that names the file and the line or path of a mistake. */
export async function readSource({
  source,
  files,
  discover,
  mapping,
  ...options
}: SourceRequest): Promise<ParsedFleet> {
  if (discover ? files.length > 0 : files.length === 0)
    throw Failure.usage(
      discover ? '--discover takes no files' : `name the files of ${source}; - is standard input`,
    );
  const entry: Source = SOURCES[source];
  const texts = discover ? [await discovered(source, entry)] : [];
  for (const file of files) texts.push(await readText(file));
  const parse = await entry.load();
  const host = options.host ?? (discover && source === 'libvirt' ? hostname() : undefined);
  const given = { ...options, host, ...(mapping !== undefined && { mapping: await readText(mapping) }) };
  const fleet = await parse(texts, given);
  checkFleet(
    fleet.trees,
    texts
      .map(({ name }) => name)
      .join(', ')
      .slice(0, 200),
  );
  return fleet;
}

/** Reads a file; `-` is standard input. */
export async function readText(file: string): Promise<SourceText> {
  if (file === '-') return { name: 'standard input', text: await readStream(process.stdin) };
  try {
    const bytes = await readFile(file);
    if (bytes.length > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    return { name: file, text: bytes.toString('utf8') };
  } catch (error) {
    throw Failure.usage(`${file}: ${(error as Error).message}`);
  }
}

async function discovered(source: string, { programs = [], package: name }: Source): Promise<SourceText> {
  if (programs.length === 0) throw Failure.usage(`${source} has no --discover: name its files`);
  for (const [program, ...args] of programs)
    try {
      const { stdout } = await promisify(execFile)(program, args, { maxBuffer: MAX_BYTES });
      return { name: program, text: stdout };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT')
        throw new Failure(EXIT.failed, `${program} failed: ${message.trim().split('\n').at(-1)}`);
    }
  throw new Failure(EXIT.failed, `${programs.at(-1)![0]} is not installed: install the package ${name}`);
}
