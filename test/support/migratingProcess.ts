import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

const PROGRAM = `
  const [{ openDatabase }, { migrate }] = await Promise.all([import('./dist/store/database/database.js'), import('./dist/store/migrations/migrator.js')]);
  const [url, directory, lease] = process.argv.slice(1);
  const database = openDatabase(url);
  try {
    await migrate(database, console.log, new URL(directory), lease && Number(lease));
  } catch (error) {
    console.log(error.message);
    process.exitCode = 1;
  }
  await database.close();`;

/** The compiled migrator in its own process. */
export class MigratingProcess {
  private said = '';
  private readonly child: ChildProcess;
  private readonly end: Promise<unknown[]>;

  /** @param lease the duration of its lease (ms), if not the default */
  constructor(databaseUrl: string, directory: URL = pathToFileURL('prisma/'), lease?: number) {
    const options = lease === undefined ? [] : [String(lease)];
    this.child = spawn(
      process.execPath,
      ['--input-type=module', '-e', PROGRAM, databaseUrl, directory.href, ...options],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    this.child.stdout!.on('data', (chunk: Buffer) => (this.said += chunk.toString()));
    this.end = once(this.child, 'close');
  }

  get pid(): number {
    return this.child.pid!;
  }

  async says(text: string): Promise<void> {
    while (!this.said.includes(text)) {
      if (this.child.exitCode !== null) throw new Error(`ended without saying ${text}: ${this.said}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  async ended(): Promise<{ code: number | null; said: string }> {
    await this.end;
    return { code: this.child.exitCode, said: this.said };
  }
}
