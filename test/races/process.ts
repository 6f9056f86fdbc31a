import { afterAll, beforeAll, expect } from '@jest/globals';
import { Command } from '../cli/command.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { Client, endOf } from './client.js';

/** The maximum start time of a database with two server processes on a busy machine (ms). */
export const START = 120_000;

/** A server process of the compiled program, and a client of it. */
export class ServerProcess {
  private constructor(
    private readonly command: Command,
    readonly client: Client,
  ) {}

  /** Starts a server on a free port and waits until it serves. An empty database stays empty. */
  static async start(databaseUrl: string, checkout?: string): Promise<ServerProcess> {
    const command = new Command(['serve', '--port', '0'], { DATABASE_URL: databaseUrl }, checkout);
    await command.says('/graphql\n');
    return new ServerProcess(command, new Client(/is serving (\S+)\n/.exec(command.said)![1]));
  }

  /** Kills the server like `kill -9`. */
  async kill(): Promise<void> {
    this.command.signal('SIGKILL');
    await this.command.ended();
    this.client.close();
  }

  /**
   * Stops the server as an operator does, if it still runs. Returns its output besides the lines
   * that it serves and stops.
   */
  async stop(): Promise<string> {
    this.client.close();
    this.command.signal('SIGTERM');
    await this.command.ended();
    return this.command.complaints;
  }

  /** Returns how often it has read the whole fleet from the database since its start. */
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

/** Provides both for the tests of a file. At the end the servers must have logged no problem. */
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

/**
 * Sends one mutation for each input, all at once and in turn through either server. Returns the
 * number of each end.
 */
export async function race(
  { servers }: TwoServers,
  field: string,
  inputs: readonly object[],
): Promise<Record<string, number>> {
  const outcomes = await Promise.all(
    inputs.map((input, n) => servers[n % servers.length].client.mutate(field, input, '__typename')),
  );
  const count: Record<string, number> = {};
  for (const end of outcomes.map(endOf)) count[end] = (count[end] ?? 0) + 1;
  return count;
}
