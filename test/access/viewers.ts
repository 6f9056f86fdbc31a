import { hashOf, newToken } from '../../src/server/authentication/tokens/secret.js';
import type { ViewerKind } from '../../docs/generate/access.js';
import { OTHER, OWN } from './cloud.js';

const tokens = {
  admin: { roles: ['admin'] },
  service: { roles: ['service'] },
  reader: { roles: ['reader'] },
  'reader of a project': { roles: ['reader'], projectId: OWN },
  member: { roles: ['member'], projectId: OWN },
  adminOfProject: { roles: ['admin'], projectId: OTHER },
} satisfies Record<ViewerKind, object> & Record<string, object>;

export type Name = keyof typeof tokens;

/** A token for each kind of viewer. */
export const TOKENS = Object.fromEntries(Object.keys(tokens).map((name) => [name, newToken()])) as Record<
  Name,
  string
>;

/** An entry of a file of tokens. */
export function entry(name: string, token: string, more: object): object {
  return { name, hash: hashOf(token), created: '2026-01-01T00:00:00Z', ...more };
}

/** The file of these tokens. */
export const TOKEN_FILE = JSON.stringify({
  tokens: Object.entries(tokens).map(([name, more]) =>
    entry(name.replaceAll(' ', '-'), TOKENS[name as Name], more),
  ),
});
