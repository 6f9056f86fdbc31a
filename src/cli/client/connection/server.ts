import { readFileSync } from 'node:fs';
import { Failure } from './failure.js';

/** Where `npm start` serves. */
const STANDARD_URL = 'http://127.0.0.1:4000/graphql';

/** Which server is asked, and as whom. */
export interface Server {
  readonly url: string;
  readonly token: string | null;
}

/** What the environment says. A token never comes from the command line, which other users of the machine can see. */
export function serverOf(environment: NodeJS.ProcessEnv = process.env): Server {
  return { url: urlOf(environment.PLACEMENT_URL || STANDARD_URL), token: tokenOf(environment) };
}

function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw Failure.usage(`PLACEMENT_URL must be an address such as ${STANDARD_URL}, not ${text}`);
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
