import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const MODULE = fileURLToPath(new URL('../../scripts/delivery/release.mjs', import.meta.url));

/** What the script makes of a change log, or its message when it refuses. */
function notes(changelog: string, version: string): string {
  const program = `import { releaseNotes } from ${JSON.stringify(MODULE)};
    try { process.stdout.write(releaseNotes(...JSON.parse(process.argv[1]))); }
    catch (error) { process.stdout.write('refused: ' + error.message); }`;
  const options = ['--input-type=module', '--eval', program, JSON.stringify([changelog, version])];
  return execFileSync(process.execPath, options, { encoding: 'utf8' });
}

const CHANGELOG = `# Changelog

## Unreleased

- More.

## 1.10.0 (2026-11-22)

### Added

- A thing.

## 1.1.0 (2026-01-02)

## 1.0.0

- The first.
`;

test('are the section of the version, up to the next one', () => {
  expect(notes(CHANGELOG, '1.10.0')).toBe('### Added\n\n- A thing.\n');
});

test.each([
  ['1.1.1', /no section "## 1\.1\.1 \(date\)": rename "## Unreleased"/],
  ['1.1', /no section/],
  ['1.1.0', /is empty/],
  ['1.0.0', /has no date/],
])('%s is refused', (version, message) => {
  expect(notes(CHANGELOG, version)).toMatch(/^refused: /);
  expect(notes(CHANGELOG, version)).toMatch(message);
});
