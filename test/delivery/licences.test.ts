import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** Licences that ask for no more than to be named. */
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/**
 * The connector of MariaDB asks more: changes of it are to be published, and whoever gets the program must be able to replace it. It is
 * used unchanged, as a package of its own.
 */
const REPLACEABLE: readonly string[] = ['mariadb'];

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as { packages: Record<string, Locked> };

const production = Object.entries(packages)
  .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
  .map(([path, { license }]) => ({ name: path.replace(/^.*node_modules\//, ''), license }));

test('every production package has a licence that allows delivery', () => {
  expect(production.length).toBeGreaterThan(50);
  const others = production.filter(({ license = '' }) => !PERMISSIVE.includes(license));
  expect(new Set(others.map(({ name }) => name))).toEqual(new Set(REPLACEABLE));
  for (const { license } of others) expect(license).toBe('LGPL-2.1-or-later');
});
