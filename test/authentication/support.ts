import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from '@jest/globals';
import { createAuthenticator, type Authenticator } from '../../src/server/authentication/authenticator.js';
import type { AuthenticationSettings } from '../../src/server/authentication/settings.js';
import type { Viewer } from '../../src/model/viewer.js';
import { DEFINITIONS } from '../../src/server/settings/definitions.js';

export const FORGED = 'Unauthenticated: The signature of the token is invalid.';
/** The beginning of the refusal of a token whose key the issuer does not have. */
export const NO_KEY = 'Unauthenticated: No key of the issuer matches the token with the algorithm';

const opened: Authenticator[] = [];
afterEach(() => {
  for (const authenticator of opened.splice(0)) authenticator.close();
});

/** The default settings, except these. */
export function settingsWith(given: Partial<AuthenticationSettings>): AuthenticationSettings {
  const defaults = Object.entries(DEFINITIONS).map(([name, { defaultValue }]) => [name, defaultValue]);
  return { ...(Object.fromEntries(defaults) as AuthenticationSettings), ...given };
}

function create(given: Partial<AuthenticationSettings>): { authenticator: Authenticator; reports: string[] } {
  const reports: string[] = [];
  const authenticator = createAuthenticator(settingsWith(given), (error, during) =>
    reports.push(`${during}: ${String(error)}`),
  );
  if (authenticator === null) throw new Error('no method is on');
  return { authenticator, reports };
}

/** An authenticator with these settings for one test, and the errors that it has reported. */
export function open(given: Partial<AuthenticationSettings>): ReturnType<typeof create> {
  const created = create(given);
  opened.push(created.authenticator);
  return created;
}

export function ask(authenticator: Authenticator, token: string): Viewer | Promise<Viewer> {
  return authenticator.authenticate({ authorization: `Bearer ${token}` });
}

/** How a token is refused: the name of the error and its message. */
export async function refusal(authenticator: Authenticator, token: string): Promise<string> {
  try {
    await ask(authenticator, token);
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  throw new Error('the token was taken');
}

const ofFile: ReturnType<typeof create>[] = [];

/** An authenticator for all tests of a file. The file fails if it reports an error. */
export function authenticatorOfFile(given: Partial<AuthenticationSettings>): Authenticator {
  const created = create(given);
  ofFile.push(created);
  return created.authenticator;
}

const folder = mkdtempSync(join(tmpdir(), 'placement-authentication-'));
// this hook is the first of its file: authenticators must not read files that are gone
afterAll(() => {
  for (const { authenticator } of ofFile) authenticator.close();
  rmSync(folder, { recursive: true });
  expect(ofFile.flatMap(({ reports }) => reports)).toEqual([]);
});
let files = 0;

/** A path at which there is nothing yet. */
export function newPath(): string {
  return join(folder, `file-${++files}`);
}

/** The path of a new file with this content. */
export function newFile(content: string): string {
  const path = newPath();
  writeFileSync(path, content);
  return path;
}
