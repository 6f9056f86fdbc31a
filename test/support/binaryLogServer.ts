import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPrivateDatabase } from '../../src/tools/privateDatabase/privateDatabase.js';
import { findServerProgram } from '../../src/tools/privateDatabase/program.js';

/**
 * Starts a database server that writes a binary log. The databases of the calling test file are on
 * this server until it is stopped.
 */
export function startBinaryLogServer(): Promise<{ stop(): Promise<void> }> {
  return startServerWith((directory) => [
    `--log-bin=${join(directory, 'binary-log')}`,
    '--binlog-format=ROW',
    '--server-id=1',
  ]);
}

/** Starts a database server with further options. A script adds them to the usual program. */
export async function startServerWith(
  optionsIn: (directory: string) => readonly string[],
  durable = false,
): Promise<{ stop(): Promise<void> }> {
  const { PLACEMENT_DATABASE_PROGRAM: program, PLACEMENT_TEST_SERVER_URL: url } = process.env;
  const directory = mkdtempSync(join(realpathSync(tmpdir()), `placement-test-${process.pid}-`));
  const script = join(directory, 'server-with-binary-log');
  const options = optionsIn(directory).join(' ');
  writeFileSync(script, `#!/bin/sh\nexec '${(await findServerProgram())!.server}' "$@" ${options}\n`);
  chmodSync(script, 0o755);
  process.env.PLACEMENT_DATABASE_PROGRAM = script;
  const server = await startPrivateDatabase({ directory, durable });
  Object.assign(process.env, { PLACEMENT_TEST_SERVER_URL: server.url('mysql') });
  return {
    async stop() {
      process.env.PLACEMENT_TEST_SERVER_URL = url;
      if (program === undefined) delete process.env.PLACEMENT_DATABASE_PROGRAM;
      else process.env.PLACEMENT_DATABASE_PROGRAM = program;
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
