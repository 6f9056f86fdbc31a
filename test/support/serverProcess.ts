import { Command } from '../cli/command.js';

/** The compiled server in its own process, with as little memory as an operator may give it. */
export class ServerProcess extends Command {
  /**
   * Starts the server on a free port. It leaves an empty database empty. @param heap the maximum
   * size of its heap (MiB)
   */
  static async start(
    databaseUrl: string,
    heap: number,
    environment: Record<string, string> = {},
  ): Promise<ServerProcess> {
    const server = new ServerProcess(['serve', '--port', '0'], {
      DATABASE_URL: databaseUrl,
      NODE_OPTIONS: `--max-old-space-size=${heap}`,
      ...environment,
    });
    await server.says('/graphql\n');
    return server;
  }

  get url(): string {
    return /is serving (\S+)\n/.exec(this.said)![1];
  }

  kill(): void {
    this.signal('SIGKILL');
  }

  async stop(): Promise<void> {
    this.signal('SIGTERM');
    await this.ended();
  }
}
