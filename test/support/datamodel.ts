import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DMMF } from '@prisma/generator-helper';

/** prisma/schema.prisma: its text, and what Prisma itself reads in it (columns, native types, indexes, relations). */
export interface Schema {
  readonly text: string;
  readonly datamodel: DMMF.Datamodel;
}

/** Reads the schema through `prisma generate` with a generator of our own; needs no network and no database. */
export function readSchema(file = 'prisma/schema.prisma'): Schema {
  const text = readFileSync(file, 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'datamodel-'));
  try {
    const generator = 'generator dump {\n  provider = "node test/support/datamodelGenerator.mjs"\n}\n';
    writeFileSync(join(folder, 'schema.prisma'), text.replace(/^generator client \{.*?^\}\n/ms, generator));
    execFileSync(
      process.execPath,
      ['node_modules/prisma/build/index.js', 'generate', '--schema', join(folder, 'schema.prisma')],
      // any existing file will do as the engine: generating never runs it
      {
        env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' },
        stdio: 'pipe',
      },
    );
    return {
      text,
      datamodel: JSON.parse(readFileSync(join(folder, 'datamodel.json'), 'utf8')) as DMMF.Datamodel,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
