import { list, print, type Format } from '../../command/output.js';
import { changeTokens, readTokens } from '../authentication/tokens/changeTokens.js';
import { hashOf, newToken } from '../authentication/tokens/secret.js';
import { assertStorable, type StoredToken } from '../authentication/tokens/tokenFile.js';
import type { Lifecycle } from '../start/lifecycle.js';
import type { Settings } from '../settings/definitions.js';

interface CreateOptions {
  readonly name: string;
  readonly role: readonly string[];
  readonly project?: string;
  /** The lifetime (ms). */
  readonly expires?: number;
}

/** Prints only the token on standard output, for scripts. Other lines go to standard error. */
export async function createToken(
  _lifecycle: Lifecycle,
  settings: Settings,
  options: CreateOptions,
): Promise<void> {
  const file = fileOf(settings);
  const token = newToken();
  const stored = storedToken(token, options);
  await changeTokens(file, (tokens) => {
    if (tokens.some(({ name }) => name === stored.name))
      throw new Error(
        `${file} has a token of ${stored.name} already: choose another --name, or revoke that one first`,
      );
    return [...tokens, stored];
  });
  console.error(`token of ${stored.name}; it is not stored, and cannot be shown again:`);
  console.log(token);
}

/** Prints the tokens without their hashes. */
export async function listTokens(
  _lifecycle: Lifecycle,
  settings: Settings,
  { output }: { readonly output: Format },
): Promise<void> {
  const tokens = (await readTokens(fileOf(settings))).map(({ name, roles, projectId, created, expires }) => ({
    name,
    roles,
    projectId,
    created,
    expires,
    expired: expires !== null && Date.parse(expires) <= Date.now(),
  }));
  const columns = {
    name: 'name',
    roles: ({ roles }: (typeof tokens)[number]) => roles.join(', '),
    project: ({ projectId }: (typeof tokens)[number]) => projectId ?? '(all)',
    created: { wide: 'created' },
    expires: ({ expires, expired }: (typeof tokens)[number]) =>
      expires === null ? 'never' : `${expires}${expired ? ' (expired)' : ''}`,
  };
  await print(list(tokens, columns, 'no tokens'), output);
}

export async function revokeToken(_lifecycle: Lifecycle, settings: Settings, name: string): Promise<void> {
  const file = fileOf(settings);
  await changeTokens(file, (tokens) => {
    const others = tokens.filter((token) => token.name !== name);
    if (others.length === tokens.length) throw new Error(`${file} has no token of ${name}`);
    return others;
  });
  console.log(`revoked: the token of ${name}; servers refuse it within two seconds`);
}

function fileOf(settings: Settings): string {
  const file = settings['tokens.file'];
  if (file !== null) return file;
  throw new Error(
    'tokens.file is not set: PLACEMENT_TOKENS_FILE, or tokens.file in the settings, must name it',
  );
}

function storedToken(token: string, { name, role, project, expires }: CreateOptions): StoredToken {
  const now = Date.now();
  const stored = {
    name,
    hash: hashOf(token),
    roles: [...new Set(role)] as StoredToken['roles'],
    projectId: project ?? null,
    expires: expires === undefined ? null : new Date(now + expires).toISOString(),
    created: new Date(now).toISOString(),
  };
  assertStorable(stored);
  return stored;
}
