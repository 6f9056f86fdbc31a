import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

/** Makes an empty folder for the calling test file. It is removed after the tests of the file. */
export function folderOfFile(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), `placement-test-${process.pid}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file into a folder, and returns its path. */
export function fileIn(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
