import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** The lines of a backup as they come, several at a time, without the last one. */
export type Lines = AsyncIterable<readonly object[]>;

/**
 * Writes a backup, readable by its owner alone. It has its name only when all of it is on the disk: whatever interrupts it leaves no
 * file of that name.
 *
 * @throws Error when it cannot be written
 */
export async function writeBackup(file: string, lines: Lines): Promise<void> {
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    await pipeline(
      Readable.from(sealed(lines)),
      createGzip(),
      createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }),
    );
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
  const folder = await open(dirname(file));
  await folder.sync().finally(() => folder.close());
}

async function* sealed(lines: Lines): AsyncGenerator<string> {
  const hash = createHash('sha256');
  for await (const some of lines) {
    const text = textOf(some);
    hash.update(text);
    yield text;
  }
  yield textOf([{ sha256: hash.digest('hex') }]);
}

function textOf(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
