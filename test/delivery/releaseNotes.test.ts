import { beforeAll, expect, test } from '@jest/globals';

let releaseNotes: (changelog: string, version: string) => string;
beforeAll(async () => {
  const { href } = new URL('../../scripts/delivery/release.mjs', import.meta.url);
  ({ releaseNotes } = (await import(href)) as { releaseNotes: typeof releaseNotes });
});

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
  expect(releaseNotes(CHANGELOG, '1.10.0')).toBe('### Added\n\n- A thing.\n');
});

test.each([
  ['1.1.1', /no section "## 1\.1\.1 \(date\)": rename "## Unreleased"/],
  ['1.1', /no section/],
  ['1.1.0', /is empty/],
  ['1.0.0', /has no date/],
])('%s is refused', (version, message) => {
  expect(() => releaseNotes(CHANGELOG, version)).toThrow(message);
});
