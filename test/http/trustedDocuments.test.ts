import { createHash } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TrustedDocuments } from '../../src/server/graphql/trustedDocuments/trustedDocuments.js';
import { postJson } from '../support/httpPost.js';
import { useServer, withCode } from './server.js';

const QUERY = 'query Classes($name: String!) { resourceClass(name: $name) { name } }';
const WRITE = 'mutation Write { createTrait(input: { name: "CUSTOM_TRUSTED" }) { __typename } }';
const WATCH = 'subscription Watch { resourceProviderChanged { uuid } }';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** As GraphQL Code Generator and Relay write it: by whatever hash of the text, or by names. */
const FILE = { '0c4bb5f5': QUERY, write: WRITE, [sha256(WATCH)]: WATCH };

const variables = { name: 'VCPU' };
const ANSWER = { data: { resourceClass: { name: 'VCPU' } } };
const NOT_TRUSTED = withCode('DOCUMENT_NOT_TRUSTED');

const folder = mkdtempSync(join(tmpdir(), 'placement-documents-'));
const path = join(folder, 'persisted-documents.json');
write(JSON.stringify(FILE));

const served = useServer({ trustedDocuments: TrustedDocuments.open(path) });
beforeEach(() => void served.reported.splice(0));
afterAll(() => rmSync(folder, { recursive: true }));

function write(content: string): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

const post = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  postJson(served.url, body, headers);
const ask = async (body: object): Promise<unknown> => (await post(body)).json();
const get = async (parameters: Readonly<Record<string, string>>): Promise<unknown> =>
  (await fetch(`${served.url}?${new URLSearchParams(parameters)}`)).json();

describe('a trusted document is run', () => {
  test.each([
    ['its id in the file', { documentId: '0c4bb5f5' }],
    ['the hash of its text', { documentId: `sha256:${sha256(QUERY)}` }],
    ['the hash without the prefix', { documentId: sha256(QUERY) }],
    [
      'the hash as Apollo sends it',
      { extensions: { persistedQuery: { version: 1, sha256Hash: sha256(QUERY) } } },
    ],
    ['its text', { query: QUERY }],
    ['its text beside an id', { query: QUERY, documentId: 'any' }],
  ])('by %s', async (_how, named) => {
    expect(await ask({ ...named, variables })).toMatchObject(ANSWER);
  });

  test('by an address', async () => {
    const rest = { variables: JSON.stringify(variables) };
    expect(await get({ documentId: '0c4bb5f5', ...rest })).toMatchObject(ANSWER);
    const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: sha256(QUERY) } });
    expect(await get({ extensions, ...rest })).toMatchObject(ANSWER);
    expect(await get({ query: QUERY, ...rest })).toMatchObject(ANSWER);
    const response = await fetch(`${served.url}?documentId=write`);
    expect(response.status).toBe(405);
  });

  test('an operation of any kind runs, and with its name', async () => {
    expect(await ask({ documentId: 'write' })).toMatchObject({ data: { createTrait: {} } });
    expect(await ask({ documentId: '0c4bb5f5', operationName: 'Classes', variables })).toMatchObject(ANSWER);
    expect(await ask({ documentId: '0c4bb5f5', operationName: 'Other', variables })).toMatchObject(
      withCode('OPERATION_RESOLUTION_FAILURE'),
    );
    const stream = await post({ documentId: sha256(WATCH) }, { accept: 'text/event-stream' });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    await stream.body!.cancel();
  });
});

describe('any other document is rejected', () => {
  test.each([
    ['an unknown id', { documentId: 'other' }],
    ['an unknown hash', { documentId: `sha256:${sha256('{ __typename }')}` }],
    ['an id that is no text', { documentId: { toString: 'write' } }],
    ['a name that every object has', { documentId: 'constructor' }],
    [
      'an unknown hash of Apollo',
      { extensions: { persistedQuery: { sha256Hash: sha256('{ __typename }') } } },
    ],
    ['another text', { query: '{ __typename }' }],
    ['another text beside a known id', { query: '{ __typename }', documentId: 'write' }],
    ['nearly the text', { query: `${QUERY} ` }],
    ['a query for the schema', { query: '{ __schema { types { name } } }' }],
  ])('%s', async (_what, body) => {
    expect(await ask({ ...body, variables })).toMatchObject(NOT_TRUSTED);
    const response = await post(body, { accept: 'application/graphql-response+json' });
    expect(response.status).toBe(400);
  });

  test('by an address, too', async () => {
    expect(await get({ query: '{ __typename }' })).toMatchObject(NOT_TRUSTED);
    expect(await get({ documentId: 'other' })).toMatchObject(NOT_TRUSTED);
  });

  test('a request without a document is malformed', async () => {
    for (const body of [{}, { query: '' }, { extensions: { persistedQuery: {} } }, { query: 5 }])
      expect(await ask(body)).toMatchObject(withCode('BAD_REQUEST'));
  });

  test('the server with trusted documents has no GraphiQL page', async () => {
    const response = await fetch(served.url, { headers: { accept: 'text/html' } });
    expect(response.headers.get('content-type')).toContain('application/json');
  });
});

describe('the file', () => {
  test('is read again when it changes; one that makes no sense changes nothing, and is reported', async () => {
    write(JSON.stringify({ ...FILE, later: '{ __typename }' }));
    while (!('data' in ((await ask({ documentId: 'later' })) as object))) await sleep(50);
    expect(await ask({ query: '{ __typename }' })).toMatchObject({ data: { __typename: 'Query' } });
    write('{');
    while (served.reported.length === 0) await sleep(50);
    expect(served.reported).toEqual([
      expect.stringMatching(/: graphql\.trustedDocuments: \S+ is not a JSON map/),
    ]);
    expect(await ask({ documentId: 'later' })).toMatchObject({ data: { __typename: 'Query' } });
    write(JSON.stringify(FILE));
    while ('data' in ((await ask({ documentId: 'later' })) as object)) await sleep(50);
    expect(await ask({ documentId: '0c4bb5f5', variables })).toMatchObject(ANSWER);
    expect(served.reported).toHaveLength(1);
  });

  test.each(['', '[]', '{"id": 5}', '{"id": {"query": "{ __typename }"}}'])(
    'is reported with its setting and name when it is %p',
    (content) => {
      const other = join(folder, 'other.json');
      writeFileSync(other, content);
      expect(() => TrustedDocuments.open(other)).toThrow(
        /^graphql\.trustedDocuments: \S+other\.json is not a JSON map of documents by ids$/,
      );
    },
  );
});
