import { fillWithSample, lockData, openMigrated } from './bootstrap.js';
import { Lifecycle } from './lifecycle.js';
import type { CommonOptions } from './options.js';
import { readSettings } from './settings/settings.js';

/** Brings the tables and the catalog up to date. */
export function migrate({ config }: CommonOptions): Promise<void> {
  return Lifecycle.run(async (lifecycle) => {
    const { settings } = readSettings({ file: config });
    await lockData(lifecycle, settings);
    await openMigrated(lifecycle, settings);
    await lifecycle.end(0);
  });
}

export interface SampleOptions extends CommonOptions {
  readonly hosts: number;
}

/** Fills an empty database with the demo data. */
export function sample({ config, hosts }: SampleOptions): Promise<void> {
  return Lifecycle.run(async (lifecycle) => {
    const { settings } = readSettings({ file: config });
    await lockData(lifecycle, settings);
    const database = await openMigrated(lifecycle, settings);
    await fillWithSample(lifecycle, database, hosts);
    await lifecycle.end(0);
  });
}
