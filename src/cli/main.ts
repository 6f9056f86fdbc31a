#!/usr/bin/env node
import './production.js';
import { Command, InvalidArgumentError } from 'commander';
import { adoptDatabase, type AdoptCommandOptions } from './adopt.js';
import { audit, type AuditOptions } from './audit.js';
import { readEnvironment } from './environment.js';
import { exportDatabase, type ExportOptions } from './export.js';
import { fillWithSample, lockData, openMigrated } from './bootstrap.js';
import { importDatabase, type ImportOptions } from './import.js';
import { Lifecycle } from './lifecycle.js';
import { migrateInventory, type MigrateInventoryOptions } from './migrateInventory/migrateInventory.js';
import { serve, type ServeOptions } from './serve.js';

const program = new Command('placement-graphql').description(
  'Serves the placement API. Works on the database that DATABASE_URL names, or on a private one.',
);

program
  .command('serve', { isDefault: true })
  .description('migrate the database, fill an empty one with the sample cloud, and serve')
  .option(
    '--port <number>',
    'port on 127.0.0.1, 0 for any free one (default: PORT, or 4000)',
    whole(0, 65_535),
  )
  .option('--hosts <number>', 'size of the sample cloud', whole(1, 100_000), 100)
  .option('--empty', 'leave an empty database empty')
  .option('--allowed-host <name...>', 'host names by which clients may address the server, besides localhost')
  .option('--allowed-origin <origin...>', 'origins of web pages that may send requests, besides its own')
  .action((options: ServeOptions) => serve(options));

program
  .command('migrate')
  .description('bring the tables and the catalog up to date')
  .action(() =>
    Lifecycle.run(async (lifecycle) => {
      const environment = readEnvironment();
      await lockData(lifecycle, environment);
      await openMigrated(lifecycle, environment);
      await lifecycle.end(0);
    }),
  );

program
  .command('adopt')
  .description('let the server work on the database of an OpenStack Placement, beside it or in its place')
  .option('--undo', 'drop what adopt has added, and nothing else')
  .option('--dry-run', 'change nothing, tell what would be done')
  .action((options: AdoptCommandOptions) => adoptDatabase(options));

program
  .command('import')
  .description(
    'copy the database of an OpenStack Placement, which may go on writing, into an empty one of the server',
  )
  .requiredOption('--from <url>', 'the database of OpenStack Placement')
  .option('--dry-run', 'change nothing, tell what would be done')
  .action((options: ImportOptions) => importDatabase(options));

program
  .command('export')
  .description(
    'copy the database of the server into an empty one in which OpenStack Placement has made its tables',
  )
  .requiredOption('--to <url>', 'the database of OpenStack Placement')
  .option('--dry-run', 'change nothing, tell what would be done')
  .action((options: ExportOptions) => exportDatabase(options));

program
  .command('sample')
  .description('fill an empty database with the sample cloud')
  .option('--hosts <number>', 'size of the sample cloud', whole(1, 100_000), 100)
  .action(({ hosts }: { hosts: number }) =>
    Lifecycle.run(async (lifecycle) => {
      const environment = readEnvironment();
      await lockData(lifecycle, environment);
      const database = await openMigrated(lifecycle, environment);
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
  .action((options: MigrateInventoryOptions) => migrateInventory(options));

program
  .command('audit')
  .description('tell what is wrong with what is stored; ends with 1 when there is anything')
  .option('--fix', 'first delete empty consumers, and rows that point at nothing')
  .action((options: AuditOptions) => audit(options));

await program.parseAsync();

/** Reads an option's value as a whole number within bounds. */
function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`must be a whole number from ${least} to ${most}`);
  };
}
