import { InvalidArgumentError, Option, type Command } from 'commander';
import { FORMAT_OPTION } from '../../command/output.js';
import { ROLES } from '../../model/viewer.js';
import type { CommonOptions } from '../start/bootstrap.js';
import type { Lifecycle } from '../start/lifecycle.js';
import type { Settings } from '../settings/definitions.js';
import { flagOptions } from '../settings/settings.js';

interface CommandEntry {
  readonly usage: string;
  readonly about: string;
  readonly options?: readonly (readonly [flags: string, about: string] | Option)[];
  /** Loads only the modules of this command: all modules would take a second. */
  readonly run: (...received: never[]) => Promise<void>;
}

type Work = (lifecycle: Lifecycle, settings: Settings, ...received: never[]) => Promise<number | void>;

/** Returns the action of a command that gets the settings. */
const withSettings =
  (load: () => Promise<Work>) =>
  async (...received: unknown[]): Promise<void> => {
    const { runWithSettings } = await import('../start/bootstrap.js');
    const work = await load();
    await runWithSettings(received.at(-1) as CommonOptions, (lifecycle, settings) =>
      work(lifecycle, settings, ...(received as never[])),
    );
  };

const DRY_RUN = ['--dry-run', 'change nothing, print the steps'] as const;
const required = (flags: string, about: string) => new Option(flags, about).makeOptionMandatory();
const demoHosts = () =>
  new Option('--hosts <number>', 'number of hosts of the demo data, 100 if omitted').argParser(
    whole(1, 1_000_000),
  );

const COMMANDS: readonly CommandEntry[] = [
  {
    usage: 'serve',
    about: 'migrate the database and serve',
    options: [
      ['--print-config', 'only print every setting and its origin'],
      ['--demo', 'fill an empty database with demo data'],
      demoHosts().implies({ demo: true }),
      ['--empty', 'expect an empty database, and say if it is not'],
      ['--reset', 'first delete the private database; asks for the name of its folder'],
      ['--yes', 'with --reset: do not ask'],
      ...flagOptions(),
    ],
    run: async (options: never) => (await import('../start/serve.js')).serve(options),
  },
  {
    usage: 'migrate',
    about: 'bring the tables and the catalog up to date',
    run: withSettings(async () => (await import('./databaseCommands.js')).migrate),
  },
  {
    usage: 'sample',
    about: 'fill an empty database with demo data',
    options: [demoHosts()],
    run: withSettings(async () => (await import('./databaseCommands.js')).loadDemo),
  },
  {
    usage: 'adopt',
    about:
      'prepare the database of an OpenStack Placement for the server, which works beside it or replaces it',
    options: [
      ['--undo', 'drop only the tables that adopt has added'],
      ['--drop-names', 'with --undo: also drop the names that users gave to aggregates'],
      DRY_RUN,
    ],
    run: withSettings(async () => (await import('./databaseCommands.js')).adoptDatabase),
  },
  {
    usage: 'import',
    about: 'copy the database of an OpenStack Placement, which may continue to write, into an empty one',
    options: [required('--from <url>', 'the database of OpenStack Placement'), DRY_RUN],
    run: withSettings(async () => (await import('./databaseCommands.js')).importDatabase),
  },
  {
    usage: 'export',
    about: 'copy the database into an empty one with the tables of OpenStack Placement',
    options: [required('--to <url>', 'the database of OpenStack Placement'), DRY_RUN],
    run: withSettings(async () => (await import('./databaseCommands.js')).exportDatabase),
  },
  {
    usage: 'backup <file>',
    about: 'write the whole database into a new file; servers may continue',
    run: withSettings(async () => (await import('./databaseCommands.js')).backup),
  },
  {
    usage: 'restore <file>',
    about: 'fill an empty database from a file of `backup`, completely or not at all',
    options: [
      ['--replace', 'first drop all tables of the database'],
      ['--dry-run', 'change nothing, check the file and the database'],
    ],
    run: withSettings(async () => (await import('./databaseCommands.js')).restore),
  },
  {
    usage: 'doctor',
    about: 'check everything that a server needs; ends with 1 if there is a problem',
    options: [['--json', 'as JSON'], ...flagOptions()],
    run: async (options: never) => (await import('./doctor/doctor.js')).doctor(options),
  },
  {
    usage: 'audit-database',
    about: 'print inconsistencies of the database, without a server; ends with 1 if there are any',
    options: [['--fix', 'first delete empty consumers and dangling rows']],
    run: withSettings(async () => (await import('./audit.js')).audit),
  },
  {
    usage: 'migrate-inventory',
    about: 'offline: pass the tree of each root provider to a plan and apply its result',
    options: [
      required(
        '--plan <file>',
        'a module whose default export maps { tree, consumers } to an ApplyProviderTreeInput or null',
      ),
      ['--node <name>', 'only this root provider'],
      DRY_RUN,
    ],
    run: withSettings(async () => (await import('./migrateInventory/migrateInventory.js')).migrateInventory),
  },
];

const TOKEN_COMMANDS: readonly CommandEntry[] = [
  {
    usage: 'create',
    about: 'create a token and print it, this once',
    options: [
      required('--name <name>', 'the owner of the token'),
      required('--role <role...>', `what it allows: ${ROLES.join(', ')}`),
      ['--project <id>', 'its project; otherwise all projects'],
      new Option(
        '--expires <time>',
        'how long it is valid: 90d, 12h, 30m; otherwise until it is revoked',
      ).argParser(duration),
    ],
    run: withSettings(async () => (await import('./tokens.js')).createToken),
  },
  {
    usage: 'list',
    about: 'list the owners and the roles of the tokens, not the tokens',
    options: [FORMAT_OPTION],
    run: withSettings(async () => (await import('./tokens.js')).listTokens),
  },
  {
    usage: 'revoke <name>',
    about: 'make servers reject the token of this owner',
    run: withSettings(async () => (await import('./tokens.js')).revokeToken),
  },
];

/** Adds the commands of the server and the database. @param isDefault makes `serve` the default */
export function addServerCommands(program: Command, isDefault: boolean): void {
  program.commandsGroup('Commands that serve, or work on the database (DATABASE_URL, or a private one):');
  for (const row of COMMANDS) add(program, row, isDefault && row.usage === 'serve');
  const token = program
    .command('token')
    .description('create, list and revoke the static tokens of tokens.file');
  for (const row of TOKEN_COMMANDS) add(token, row);
}

function add(parent: Command, { usage, about, options = [], run }: CommandEntry, isDefault = false): void {
  const command = parent
    .command(usage, { isDefault })
    .description(about)
    .option('--config <file>', 'the file with settings (default: placement.yaml, if it exists)')
    .action((...received: unknown[]) => run(...(received.slice(0, -1) as never[])));
  for (const row of options) command.addOption(row instanceof Option ? row : new Option(...row));
}

/** Returns a parser of whole numbers from `least` to `most`. */
function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`must be a whole number from ${least} to ${most}`);
  };
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function duration(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('must be like 90d, 12h or 30m');
  return Number(count) * UNITS[unit];
}
