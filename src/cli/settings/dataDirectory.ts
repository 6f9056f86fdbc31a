import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Of the package: in the sources and in the build alike. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Where a private database keeps its data unless a setting says so: in a checkout beside the program, otherwise where the XDG Base
 * Directory Specification has the state of programs. An installed package is replaced by an upgrade, and its data must not be.
 */
export function standardDataDirectory(
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
