#!/usr/bin/env node
import './production.js';
import { Command, InvalidArgumentError, Option } from 'commander';
import { adoptDatabase, type AdoptCommandOptions } from './adopt.js';
import { audit, type AuditOptions } from './audit.js';
import { backup } from './backup/backup.js';
import { restore, type RestoreCommandOptions } from './backup/restore.js';
import { doctor, type DoctorOptions } from './doctor/doctor.js';
import { exportDatabase, type ExportOptions } from './export.js';
import { fillWithSample, lockData, openMigrated } from './bootstrap.js';
import { importDatabase, type ImportOptions } from './import.js';
import { Lifecycle } from './lifecycle.js';
import { migrateInventory, type MigrateInventoryOptions } from './migrateInventory/migrateInventory.js';
import type { CommonOptions } from './options.js';
import { serve, type ServeOptions } from './serve.js';
import { flagOptions, flagsIn } from './settings/flags.js';
import { readSettings } from './settings/settings.js';
import { tokenCommand } from './tokens/command.js';

const program = new Command('placement-graphql').description(
  'Serves the placement API. Works on the database that DATABASE_URL names, or on a private one.',
);
/** Every command has it. */
const config = () =>
  new Option('--config <file>', 'the file with settings (default: placement.yaml, if it is there)');

const serveCommand = program
  .command('serve', { isDefault: true })
  .description('migrate the database, fill an empty one with the sample cloud, and serve')
  .addOption(config())
  .option('--print-config', 'print every setting and where it is from, and do nothing')
  .option('--hosts <number>', 'size of the sample cloud', whole(1, 100_000), 100)
  .option('--empty', 'leave an empty database empty')
  .action((options: Omit<ServeOptions, 'flags'>) => serve({ ...options, flags: flagsIn(options) }));
for (const option of flagOptions()) serveCommand.addOption(option);

program
  .command('migrate')
  .description('bring the tables and the catalog up to date')
  .addOption(config())
  .action((options: CommonOptions) =>
    Lifecycle.run(async (lifecycle) => {
      const { settings } = readSettings({ file: options.config });
      await lockData(lifecycle, settings);
      await openMigrated(lifecycle, settings);
      await lifecycle.end(0);
    }),
  );

program
  .command('adopt')
  .description('let the server work on the database of an OpenStack Placement, beside it or in its place')
  .option('--undo', 'drop what adopt has added, and nothing else')
  .option('--dry-run', 'change nothing, tell what would be done')
  .addOption(config())
  .action((options: AdoptCommandOptions) => adoptDatabase(options));

program
  .command('import')
  .description(
    'copy the database of an OpenStack Placement, which may go on writing, into an empty one of the server',
  )
  .requiredOption('--from <url>', 'the database of OpenStack Placement')
  .option('--dry-run', 'change nothing, tell what would be done')
  .addOption(config())
  .action((options: ImportOptions) => importDatabase(options));

program
  .command('export')
  .description(
    'copy the database of the server into an empty one in which OpenStack Placement has made its tables',
  )
  .requiredOption('--to <url>', 'the database of OpenStack Placement')
  .option('--dry-run', 'change nothing, tell what would be done')
  .addOption(config())
  .action((options: ExportOptions) => exportDatabase(options));

program
  .command('sample')
  .description('fill an empty database with the sample cloud')
  .option('--hosts <number>', 'size of the sample cloud', whole(1, 100_000), 100)
  .addOption(config())
  .action(({ hosts, ...options }: { hosts: number } & CommonOptions) =>
    Lifecycle.run(async (lifecycle) => {
      const { settings } = readSettings({ file: options.config });
      await lockData(lifecycle, settings);
      const database = await openMigrated(lifecycle, settings);
      await fillWithSample(lifecycle, database, hosts);
      await lifecycle.end(0);
    }),
  );

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
  .action((options: MigrateInventoryOptions) => migrateInventory(options));

program
  .command('audit')
  .description('tell what is wrong with what is stored; ends with 1 when there is anything')
  .option('--fix', 'first delete empty consumers, and rows that point at nothing')
  .addOption(config())
  .action((options: AuditOptions) => audit(options));

const doctorCommand = program
  .command('doctor')
  .description('tell whether all that a server needs is as it should be; ends with 1 when there is a problem')
  .option('--json', 'as JSON')
  .addOption(config())
  .action((options: Omit<DoctorOptions, 'flags'>) => doctor({ ...options, flags: flagsIn(options) }));
for (const option of flagOptions()) doctorCommand.addOption(option);

program
  .command('backup')
  .description('write all that the database has into a file, while servers go on')
  .argument('<file>', 'a file that is not there yet')
  .addOption(config())
  .action((file: string, options: CommonOptions) => backup(file, options));

program
  .command('restore')
  .description('fill an empty database from a backup; all of it, or nothing')
  .argument('<file>', 'a file that `backup` has written')
  .option('--replace', 'first drop what the database has')
  .option('--dry-run', 'change nothing, check the file and the database')
  .addOption(config())
  .action((file: string, options: RestoreCommandOptions) => restore(file, options));

program.addCommand(tokenCommand(config));

await program.parseAsync();

/** Reads an option's value as a whole number within bounds. */
function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`must be a whole number from ${least} to ${most}`);
  };
}
