import { afterAll, beforeAll, expect } from '@jest/globals';
import { Command } from '../cli/command.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { Client } from './client.js';

/** How long a database with two server processes may take to start on a machine that has much else to do (ms). */
export const START = 120_000;

/** A server process of the compiled program, and a client of it. */
export class ServerProcess {
  private constructor(
    private readonly command: Command,
    readonly client: Client,
  ) {}

  /** Starts one on a free port and waits until it serves; it leaves an empty database empty. */
  static async start(databaseUrl: string, checkout?: string): Promise<ServerProcess> {
    const command = new Command(['serve', '--port', '0'], { DATABASE_URL: databaseUrl }, checkout);
    await command.says('/graphql\n');
    return new ServerProcess(command, new Client(/is serving (\S+)\n/.exec(command.said)![1]));
  }

  /** Kills it outright, as `kill -9` does. */
  async kill(): Promise<void> {
    this.command.signal('SIGKILL');
    await this.command.ended();
    this.client.close();
  }

  /** Stops it as an operator does, if it still runs; gives what it said besides that it serves and stops. */
  async stop(): Promise<string> {
    this.client.close();
    this.command.signal('SIGTERM');
    await this.command.ended();
    return this.command.complaints;
  }

  /** How often it has read the whole offer from the database since it was started. */
  async fullLoads(): Promise<number> {
    const response = await fetch(new URL('/healthz', this.client.url));
    return ((await response.json()) as { fullLoads: number }).fullLoads;
  }
}

/** A database and two server processes on it. */
export interface TwoServers {
  readonly database: TestDatabase;
  readonly servers: readonly [ServerProcess, ServerProcess];
}

/** Has both for the tests of a file, from the first on; at the end the servers must have had nothing to complain of. */
export function twoServers(): TwoServers {
  const running: { database?: TestDatabase; servers?: [ServerProcess, ServerProcess] } = {};
  beforeAll(async () => {
    const database = await testDatabase();
    const start = (): Promise<ServerProcess> => ServerProcess.start(database.url);
    running.database = database;
    running.servers = await Promise.all([start(), start()]);
  }, START);
  afterAll(async () => {
    const said = await Promise.all((running.servers ?? []).map((server) => server.stop()));
    await running.database?.close();
    expect(said).toEqual(['', '']);
  });
  return running as TwoServers;
}
