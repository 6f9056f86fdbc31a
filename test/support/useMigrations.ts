import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { folderOfFile } from './folder.js';

/** Returns a function that copies prisma/ with one more migration. The copies are removed after the tests of the file. */
export function useMigrations(): (name: string, sql: string) => { url: URL; write(sql: string): void } {
  const folder = folderOfFile();
  let copies = 0;
  return (name, sql) => {
    const copy = join(folder, String(copies++));
    cpSync('prisma', copy, { recursive: true });
    mkdirSync(join(copy, 'migrations', name));
    const write = (text: string): void =>
      writeFileSync(join(copy, 'migrations', name, 'migration.sql'), text);
    write(sql);
    return { url: pathToFileURL(`${copy}/`), write };
  };
}
