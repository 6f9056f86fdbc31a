import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Returns the default directory of the private database: `.data` in a checkout, otherwise the state directory of XDG,
 * because an upgrade replaces the folder of an installed package.
 */
export function defaultDataDirectory(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  root = ROOT,
): string {
  if (existsSync(join(root, 'src'))) return join(root, '.data');
  const { XDG_STATE_HOME: home = '' } = environment;
  return join(isAbsolute(home) ? home : usualStateHome(), 'placement-graphql');
}

function usualStateHome(): string {
  try {
    return join(homedir(), '.local/state');
  } catch {
    return '/var/lib'; // a user without a home, as containers have them
  }
}
