import { readFileSync } from 'node:fs';
import { Failure } from './failure.js';

/** The address that `npm start` serves. */
const DEFAULT_URL = 'http://127.0.0.1:4000/graphql';

/** The server, and the token for it. */
export interface Server {
  readonly url: string;
  readonly token: string | null;
}

/** Reads the environment. The command line has no token: other users of the machine can see it. */
export function serverOf(environment: NodeJS.ProcessEnv = process.env): Server {
  return { url: urlOf(environment.PLACEMENT_URL || DEFAULT_URL), token: tokenOf(environment) };
}

function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw Failure.usage(`PLACEMENT_URL must be an address such as ${DEFAULT_URL}, not ${text}`);
  if (url.username !== '' || url.password !== '')
    throw Failure.usage('PLACEMENT_URL must have no user and password: set PLACEMENT_TOKEN');
  if (url.pathname === '/') url.pathname = '/graphql';
  return url.href;
}

function tokenOf({ PLACEMENT_TOKEN: token, PLACEMENT_TOKEN_FILE: file }: NodeJS.ProcessEnv): string | null {
  if (token) return token;
  if (!file) return null;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw Failure.usage(`PLACEMENT_TOKEN_FILE: ${(error as Error).message}`);
  }
}
