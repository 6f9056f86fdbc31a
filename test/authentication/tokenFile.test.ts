import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { Authenticator } from '../../src/server/authentication/authenticator.js';
import { changeTokens, readTokens } from '../../src/server/authentication/tokens/changeTokens.js';
import { hashOf, newToken } from '../../src/server/authentication/tokens/secret.js';
import {
  parseTokens,
  tokensAsText,
  type StoredToken,
} from '../../src/server/authentication/tokens/tokenFile.js';
import { ask, newFile, newPath, open, refusal } from './support.js';

const created = '2026-01-01T00:00:00Z';

function stored(token: string, more: Partial<StoredToken> = {}): StoredToken {
  return {
    name: 'nova',
    hash: hashOf(token),
    roles: ['service'],
    projectId: null,
    expires: null,
    created,
    ...more,
  };
}

/** Until the authenticator says this of a token: `taken`, or how it is refused. Fails after two seconds. */
async function untilSaid(authenticator: Authenticator, token: string, expected: string): Promise<void> {
  let said = '';
  for (const deadline = Date.now() + 2_000; said !== expected && Date.now() < deadline; await sleep(20))
    said = await refusal(authenticator, token).catch(() => 'taken');
  expect(said).toBe(expected);
}

const REVOKED = 'Unauthenticated: The token is not known, or is revoked.';
const [token, other] = [newToken(), newToken()];

describe('a static token', () => {
  test('says who sends a request', () => {
    const expires = new Date(Date.now() + 60_000).toISOString();
    const text = tokensAsText([stored(token, { roles: ['member'], projectId: 'p1', expires })]);
    expect(ask(open({ 'tokens.file': newFile(text) }).authenticator, token)).toEqual({
      userId: 'nova',
      roles: new Set(['member', 'reader']),
      projectId: 'p1',
      expiresAt: Date.parse(expires),
    });
  });

  test('is 256 random bits of which only a hash is stored', () => {
    expect(token).toMatch(/^pgt_[\w-]{43}$/);
    expect(tokensAsText([stored(token)])).not.toContain(token.slice(4));
    expect(new Set(Array.from({ length: 100 }, newToken)).size).toBe(100);
  });

  test('is refused when it has expired', async () => {
    const expires = new Date(Date.now() + 100).toISOString();
    const { authenticator } = open({ 'tokens.file': newFile(tokensAsText([stored(token, { expires })])) });
    await untilSaid(authenticator, token, 'Unauthenticated: The token has expired.');
  });

  test.each([
    ['another letter', (text: string) => text.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['its hash', hashOf],
    ['a blank', (text: string) => `${text}x`],
  ])('is not it with %s', async (_, change) => {
    const { authenticator } = open({ 'tokens.file': newFile(tokensAsText([stored(token)])) });
    expect(await refusal(authenticator, change(token))).toMatch(
      /^Unauthenticated: The (token is not|server does not accept|header)/,
    );
  });
});

describe('the file of tokens', () => {
  test('may change at any time: the server sees it within two seconds', async () => {
    const file = newFile(tokensAsText([stored(token)]));
    const { authenticator, reports } = open({ 'tokens.file': file });
    expect(ask(authenticator, token)).toMatchObject({ userId: 'nova' });
    await changeTokens(file, (tokens) => [...tokens, stored(other, { name: 'other' })]);
    await untilSaid(authenticator, other, 'taken');
    await changeTokens(file, (tokens) => tokens.filter(({ name }) => name !== 'nova'));
    await untilSaid(authenticator, token, REVOKED);
    writeFileSync(file, tokensAsText([stored(token)])); // in place, as an editor may write it
    await untilSaid(authenticator, token, 'taken');
    await untilSaid(authenticator, other, REVOKED);
    expect(reports).toEqual([]);
  });

  test('may be a link that leads elsewhere from now on, as a mounted secret is', async () => {
    const [first, second, link] = [
      newFile(tokensAsText([stored(token)])),
      newFile(tokensAsText([])),
      newPath(),
    ];
    symlinkSync(first, link);
    const { authenticator } = open({ 'tokens.file': link });
    expect(ask(authenticator, token)).toMatchObject({ userId: 'nova' });
    rmSync(link);
    symlinkSync(second, link);
    await untilSaid(authenticator, token, REVOKED);
  });

  test('that is broken or gone is reported once, and the tokens stay', async () => {
    const file = newFile(tokensAsText([stored(token)]));
    const { authenticator, reports } = open({ 'tokens.file': file });
    writeFileSync(file, 'tokens: [{ name: nova }]');
    await sleep(2_500);
    rmSync(file);
    await sleep(2_500);
    expect(reports).toEqual([
      `reading ${file} again; the previous content stays in use: Error: tokens.0.hash: must be sha256: and 64 hexadecimal digits`,
      expect.stringContaining('ENOENT'),
    ]);
    expect(ask(authenticator, token)).toMatchObject({ userId: 'nova' });
    writeFileSync(file, tokensAsText([]));
    await untilSaid(authenticator, token, REVOKED);
  });

  test.each([
    ['', 'the file: '],
    ['tokens: [', 'Flow sequence'],
    ['tokens: {}', 'tokens: '],
    [tokensAsText([stored(token), stored(other)]), 'two tokens have the name nova'],
    [tokensAsText([stored(token), stored(token, { name: 'b' })]), 'two tokens have the hash '],
    [tokensAsText([stored(token, { name: 'a b' })]), 'tokens.0.name: must be 1 to 100 letters'],
    [tokensAsText([stored(token, { hash: token })]), 'tokens.0.hash: must be sha256:'],
    [tokensAsText([stored(token, { roles: [] })]), 'tokens.0.roles: must have a role'],
    [
      tokensAsText([stored(token)]).replace('service', 'root'),
      'tokens.0.roles.0: must be one of admin, service, reader, member',
    ],
    [tokensAsText([stored(token, { projectId: '' })]), 'tokens.0.projectId: must be a project, or null'],
    [
      tokensAsText([stored(token, { projectId: 'blue ' })]),
      'tokens.0.projectId: must not begin or end with a blank',
    ],
    [tokensAsText([stored(token, { expires: 'soon' })]), 'tokens.0.expires: must be a time such as'],
    [tokensAsText([stored(token)]).replace('projectId', 'project'), 'tokens.0: Unrecognized key: "project"'],
  ])('keeps the server from starting where it is %j', (text, message) => {
    const file = newFile(text);
    expect(() => open({ 'tokens.file': file })).toThrow(`tokens.file: ${file}: ${message}`);
  });

  test('is read as it was written', () => {
    const tokens = [
      stored(token, { expires: created }),
      stored(other, { name: 'x@y.z', roles: ['admin', 'reader'] }),
    ];
    expect(parseTokens(tokensAsText(tokens))).toEqual(tokens);
  });
});

describe('a change of the file', () => {
  const add = (name: string) => (tokens: readonly StoredToken[]) => [...tokens, stored(newToken(), { name })];

  test('makes it, for its owner alone, with its folder', async () => {
    const file = `${newPath()}/below/tokens.yaml`;
    await changeTokens(file, add('a'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await readTokens(file)).toHaveLength(1);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test('is one of many at the same time, none of which is lost', async () => {
    const file = newPath();
    await Promise.all(Array.from({ length: 30 }, (_, at) => changeTokens(file, add(`t${at}`))));
    expect(new Set((await readTokens(file)).map(({ name }) => name)).size).toBe(30);
  });

  test('a failed change leaves the file unchanged', async () => {
    const file = newFile(tokensAsText([stored(token)]));
    const fail = () => {
      throw new Error('no');
    };
    await expect(changeTokens(file, fail)).rejects.toThrow('no');
    expect(readFileSync(file, 'utf8')).toBe(tokensAsText([stored(token)]));
    await changeTokens(file, add('b'));
    writeFileSync(file, 'tokens: 5');
    await expect(changeTokens(file, add('c'))).rejects.toThrow(`${file}: tokens: `);
    expect(readFileSync(file, 'utf8')).toBe('tokens: 5');
  });

  test('a change waits for another one, and the error after a killed one states what to do', async () => {
    const file = newPath();
    writeFileSync(`${file}.lock`, '');
    const released = sleep(300).then(() => rmSync(`${file}.lock`));
    await changeTokens(file, add('a'));
    await released;
    writeFileSync(`${file}.lock`, '');
    await expect(changeTokens(file, add('b'))).rejects.toThrow(
      `another command is changing ${file}; if there is none, remove ${file}.lock`,
    );
    expect(await readTokens(file)).toHaveLength(1);
  });

  test('follows a link', async () => {
    const [file, link] = [newFile(tokensAsText([])), newPath()];
    symlinkSync(file, link);
    await changeTokens(link, add('a'));
    expect(await readTokens(file)).toHaveLength(1);
  });

  const asRoot = process.getuid?.() === 0 ? test : test.skip;
  asRoot('by root leaves it to its owner, and a new one to that of its folder', async () => {
    const folder = newPath();
    mkdirSync(folder);
    chownSync(folder, 1_234, 1_235);
    const file = `${folder}/tokens.yaml`;
    await changeTokens(file, add('a'));
    expect(statSync(file)).toMatchObject({ uid: 1_234, gid: 1_235 });
    chownSync(file, 1_236, 1_237);
    chmodSync(file, 0o644);
    await changeTokens(file, add('b'));
    expect(statSync(file)).toMatchObject({ uid: 1_236, gid: 1_237, mode: 0o100_600 });
  });
});
