import { InvalidArgumentError, Option, type Command } from 'commander';
import type { AdoptCommandOptions } from './adopt.js';
import type { AuditOptions } from './audit.js';
import type { RestoreCommandOptions } from './backup/restore.js';
import type { DoctorOptions } from './doctor/doctor.js';
import type { ExportOptions } from './transfer/export.js';
import type { ImportOptions } from './transfer/import.js';
import type { SampleOptions } from './migrate.js';
import type { MigrateInventoryOptions } from './migrateInventory/migrateInventory.js';
import type { CommonOptions } from './options.js';
import type { ServeOptions } from './serve.js';
import { flagOptions, flagsIn } from './settings/settings.js';
import { tokenCommand } from './tokens/command.js';

/* What a command is made of is loaded when it runs: of what others need that would be a second. */

/** Every command has it. */
const config = () =>
  new Option('--config <file>', 'the file with settings (default: placement.yaml, if it is there)');

/** Adds the commands that serve, and those that work on the database itself. @param isDefault whether `serve` is what is done without a name */
export function addServerCommands(program: Command, isDefault: boolean): void {
  program.commandsGroup('Commands that serve, or work on the database (DATABASE_URL, or a private one):');
  addServing(program, isDefault);
  addTransfer(program);
  addUpkeep(program);
  program.addCommand(tokenCommand(config));
}

function addServing(program: Command, isDefault: boolean): void {
  const serveCommand = program
    .command('serve', { isDefault })
    .description('migrate the database and serve')
    .addOption(config())
    .option('--print-config', 'print every setting and where it is from, and do nothing')
    .option('--demo', 'fill an empty database with a demo cloud')
    .addOption(demoHosts().implies({ demo: true }))
    .action(async (options: Omit<ServeOptions, 'flags'>) => {
      const { serve } = await import('./serve.js');
      return serve({ ...options, flags: flagsIn(options) });
    });
  for (const option of flagOptions()) serveCommand.addOption(option);

  program
    .command('migrate')
    .description('bring the tables and the catalog up to date')
    .addOption(config())
    .action(async (options: CommonOptions) => (await import('./migrate.js')).migrate(options));

  program
    .command('sample')
    .description('fill an empty database with a demo cloud')
    .addOption(demoHosts())
    .addOption(config())
    .action(async (options: SampleOptions) => (await import('./migrate.js')).sample(options));
}

/** Databases of OpenStack Placement, and backups. */
function addTransfer(program: Command): void {
  program
    .command('adopt')
    .description('let the server work on the database of an OpenStack Placement, beside it or in its place')
    .option('--undo', 'drop the tables that adopt has added, and nothing else')
    .option('--drop-names', 'with --undo: drop the names that users gave to aggregates, too')
    .option('--dry-run', 'change nothing, tell what would be done')
    .addOption(config())
    .action(async (options: AdoptCommandOptions) => (await import('./adopt.js')).adoptDatabase(options));

  program
    .command('import')
    .description(
      'copy the database of an OpenStack Placement, which may go on writing, into an empty one of the server',
    )
    .requiredOption('--from <url>', 'the database of OpenStack Placement')
    .option('--dry-run', 'change nothing, tell what would be done')
    .addOption(config())
    .action(async (options: ImportOptions) => (await import('./transfer/import.js')).importDatabase(options));

  program
    .command('export')
    .description(
      'copy the database of the server into an empty one in which OpenStack Placement has made its tables',
    )
    .requiredOption('--to <url>', 'the database of OpenStack Placement')
    .option('--dry-run', 'change nothing, tell what would be done')
    .addOption(config())
    .action(async (options: ExportOptions) => (await import('./transfer/export.js')).exportDatabase(options));

  program
    .command('backup')
    .description('write all that the database has into a file, while servers go on')
    .argument('<file>', 'a file that is not there yet')
    .addOption(config())
    .action(async (file: string, options: CommonOptions) =>
      (await import('./backup/backup.js')).backup(file, options),
    );

  program
    .command('restore')
    .description('fill an empty database from a backup; all of it, or nothing')
    .argument('<file>', 'a file that `backup` has written')
    .option('--replace', 'first drop what the database has')
    .option('--dry-run', 'change nothing, check the file and the database')
    .addOption(config())
    .action(async (file: string, options: RestoreCommandOptions) =>
      (await import('./backup/restore.js')).restore(file, options),
    );
}

function addUpkeep(program: Command): void {
  const doctorCommand = program
    .command('doctor')
    .description(
      'tell whether all that a server needs is as it should be; ends with 1 when there is a problem',
    )
    .option('--json', 'as JSON')
    .addOption(config())
    .action(async (options: Omit<DoctorOptions, 'flags'>) => {
      const { doctor } = await import('./doctor/doctor.js');
      return doctor({ ...options, flags: flagsIn(options) });
    });
  for (const option of flagOptions()) doctorCommand.addOption(option);

  program
    .command('audit-database')
    .description(
      'tell what is wrong with what the database has, without a server; ends with 1 when there is anything',
    )
    .option('--fix', 'first delete empty consumers, and rows that point at nothing')
    .addOption(config())
    .action(async (options: AuditOptions) => (await import('./audit.js')).audit(options));

  program
    .command('migrate-inventory')
    .description('offline: show the tree of each root provider to a plan and apply what it answers')
    .requiredOption(
      '--plan <file>',
      'a module whose default export maps { tree, consumers } to an ApplyProviderTreeInput or null',
    )
    .option('--node <name>', 'look at this root provider alone')
    .option('--dry-run', 'change nothing, tell what would be done')
    .addOption(config())
    .action(async (options: MigrateInventoryOptions) =>
      (await import('./migrateInventory/migrateInventory.js')).migrateInventory(options),
    );
}

const demoHosts = () =>
  new Option('--hosts <number>', 'number of hosts of the demo cloud')
    .argParser(whole(1, 1_000_000))
    .default(100);

/** Reads an option's value as a whole number within bounds. */
function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`must be a whole number from ${least} to ${most}`);
  };
}
