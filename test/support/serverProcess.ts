import { Command } from '../cli/command.js';

/** The compiled server in its own process, with as little memory as an operator may give it. */
export class ServerProcess {
  private constructor(
    private readonly command: Command,
    readonly url: string,
  ) {}

  /**
   * Starts the server on a free port. It leaves an empty database empty. @param heap the maximum
   * size of its heap (MiB)
   */
  static async start(
    databaseUrl: string,
    heap: number,
    environment: Record<string, string> = {},
  ): Promise<ServerProcess> {
    const command = new Command(['serve', '--port', '0'], {
      DATABASE_URL: databaseUrl,
      NODE_OPTIONS: `--max-old-space-size=${heap}`,
      ...environment,
    });
    await command.says('/graphql\n');
    return new ServerProcess(command, /is serving (\S+)\n/.exec(command.said)![1]);
  }

  get pid(): number {
    return this.command.pid;
  }

  get isRunning(): boolean {
    return this.command.isRunning;
  }

  get complaints(): string {
    return this.command.complaints;
  }

  kill(): void {
    this.command.signal('SIGKILL');
  }

  async stop(): Promise<void> {
    this.command.signal('SIGTERM');
    await this.command.ended();
  }
}
