import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun, npm } from '../setup/run.mjs';
import { installInto } from './tree.mjs';

/** Writes what the packed package consists of, as CycloneDX: what is installed with it, and nothing of development. */
export async function writeSbom(archive, file) {
  const temporary = mkdtempSync(join(tmpdir(), 'placement-sbom-'));
  const folder = join(temporary, 'placement-graphql'); // npm calls the whole by the name of its folder
  try {
    await installInto(folder, archive);
    const options = [
      '--prefix',
      folder,
      '--omit',
      'dev',
      '--sbom-format',
      'cyclonedx',
      '--sbom-type',
      'application',
    ];
    const output = await mustRun(...npm('sbom', ...options, '--loglevel', 'error'));
    writeFileSync(file, output.slice(output.indexOf('{\n')));
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
