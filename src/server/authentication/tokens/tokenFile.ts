import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { PROJECT_ID, ROLES } from '../../../model/viewer.js';

const text = (message: string, form: RegExp) => z.string(message).regex(form, message);
const time = z.iso.datetime('must be a time such as 2030-01-31T12:00:00Z');

const storedToken = z.strictObject({
  /** The user id of the senders. */
  name: text('must be 1 to 100 letters, digits, and any of . _ @ -', /^[\w.@-]{1,100}$/),
  hash: text('must be sha256: and 64 hexadecimal digits', /^sha256:[0-9a-f]{64}$/),
  roles: z.array(z.enum(ROLES, `must be one of ${ROLES.join(', ')}`)).min(1, 'must have a role'),
  /** Null means the whole cloud. */
  projectId: z
    .string()
    .min(1, 'must be a project, or null')
    .max(255)
    .regex(PROJECT_ID, 'must not begin or end with a blank')
    .nullable()
    .default(null),
  /** Null means that the token never expires. */
  expires: time.nullable().default(null),
  created: time,
});

const tokenFile = z.strictObject({ tokens: z.array(storedToken) });

export type StoredToken = z.output<typeof storedToken>;

const HEADER =
  ' Tokens of placement-graphql, by `placement-graphql token`; the server applies changes within two seconds.';

/** @throws Error with one line that names the first fault and its path */
export function parseTokens(text: string): StoredToken[] {
  const { data, error } = tokenFile.safeParse(parsed(text));
  if (error) {
    const [{ path, message }] = error.issues;
    throw new Error(`${path.join('.') || 'the file'}: ${message}`);
  }
  const { tokens } = data;
  for (const key of ['name', 'hash'] as const) {
    const seen = new Set<string>();
    for (const token of tokens) {
      if (seen.has(token[key])) throw new Error(`two tokens have the ${key} ${token[key]}`);
      seen.add(token[key]);
    }
  }
  return tokens;
}

export function tokensAsText(tokens: readonly StoredToken[]): string {
  return `#${HEADER}\n${stringify({ tokens })}`;
}

/** @throws Error that names the first fault of a token */
export function assertStorable(token: StoredToken): void {
  const { error } = storedToken.safeParse(token);
  if (error) throw new Error(`${error.issues[0].path[0] as string}: ${error.issues[0].message}`);
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new Error((error as Error).message.split('\n')[0], { cause: error });
  }
}
