import type { Client } from './client.js';
import type { FleetDatabase } from './fleetDatabase.js';
import type { FleetTargets } from './targets.js';
import type { Options } from './options.js';
import type { ServerProcess } from './serverProcess.js';

/** A fleet and a server on it. Every part of the benchmark measures such a bench. */
export interface Bench {
  readonly hosts: number;
  readonly options: Options;
  readonly targets: FleetTargets;
  readonly database: FleetDatabase;
  readonly server: ServerProcess;
  readonly client: Client;
}
