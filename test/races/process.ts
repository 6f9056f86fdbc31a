import { Command } from '../cli/command.js';
import { Client } from './client.js';

/** The maximum start time of a database with two server processes on a busy machine (ms). */
export const START = 120_000;

/** A server process of the compiled program, and a client of it. */
export class ServerProcess {
  private constructor(
    private readonly command: Command,
    readonly client: Client,
  ) {}

  /** Starts a server on a free port and waits until it serves. An empty database stays empty. */
  static async start(
    databaseUrl: string,
    checkout?: string,
    environment: Record<string, string> = {},
  ): Promise<ServerProcess> {
    const all = { DATABASE_URL: databaseUrl, ...environment };
    const command = new Command(['serve', '--port', '0'], all, checkout);
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
}
