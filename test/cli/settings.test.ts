import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { SETTING_NAMES } from '../../src/server/settings/definitions.js';
import { type Sources, readSettings } from '../../src/server/settings/settings.js';
import { folderOfFile } from '../support/folder.js';
import { LocalCommand } from './command.js';

const folder = folderOfFile();

function file(content: string): string {
  const name = join(folder, 'placement.yaml');
  writeFileSync(name, content);
  return name;
}

const groups = [...new Set(SETTING_NAMES.map((name) => name.split('.')[0]))];
const ofHttp = SETTING_NAMES.flatMap((name) => (name.startsWith('http.') ? [name.slice(5)] : []));

const read = (sources: Sources) => readSettings({ environment: {}, ...sources });

function errorsOf(sources: Sources): string[] {
  try {
    read(sources);
  } catch (error) {
    return (error as Error).message.split('\n');
  }
  throw new Error('no error');
}

describe('a setting', () => {
  const name = 'http.port';
  const inFile = 'http: { port: 1 }';

  test('is that of the flag, else of the variable, else of the file, else the default', () => {
    const [flags, environment] = [{ [name]: '3' }, { PORT: '2' }];
    const all = { flags, environment, file: file(inFile) };
    expect(read(all).settings[name]).toBe(3);
    expect(read({ ...all, flags: {} }).settings[name]).toBe(2);
    expect(read({ file: all.file }).settings[name]).toBe(1);
    expect(read({}).settings[name]).toBe(4_000);
    expect(read(all).origins[name]).toBe('--port');
    expect(read({}).origins[name]).toBe('default');
  });

  test('is not set by an empty variable', () => {
    expect(read({ environment: { PORT: '', PLACEMENT_CONFIG: '' } }).settings[name]).toBe(4_000);
  });

  test('is read of the file that PLACEMENT_CONFIG names', () => {
    expect(read({ environment: { PLACEMENT_CONFIG: file(inFile) } }).settings[name]).toBe(1);
  });

  test('of each kind is the same from text and from a file', () => {
    const environment = {
      PLACEMENT_HTTP_ALLOWED_HOSTS: 'a.example, b.example',
      PLACEMENT_FOREIGN_WRITES_BINARY_LOG: 'true',
      PLACEMENT_OPERATIONS_SECONDS: '1.5',
      PLACEMENT_HTTP_LONGEST_BODY: '2048',
    };
    const text = [
      'http:',
      '  allowedHosts: [a.example, b.example]',
      '  longestBody: 2048',
      'foreignWrites: { binaryLog: true }',
      'operations.seconds: 1.5',
    ].join('\n');
    expect(read({ environment }).settings).toEqual(read({ file: file(text) }).settings);
    expect(read({ environment }).settings).toMatchObject({
      'http.allowedHosts': ['a.example', 'b.example'],
      'foreignWrites.binaryLog': true,
      'operations.seconds': 1.5,
    });
  });
});

describe('invalid settings', () => {
  test('all invalid settings are reported together, with path and value and without secrets', () => {
    const text = [
      'http: { port: 70000, prot: 5 }',
      'graphql: { graphiql: maybe }',
      'operation: { cost: 5 }',
      'database: { connections: [1] }',
    ].join('\n');
    const name = file(text);
    expect(
      errorsOf({
        flags: { 'operations.cost': 'much' },
        environment: { DATABASE_URL: 'postgres://user:secret@host/db', PLACEMENT_HTTP_LONGEST_BODY: '1' },
        file: name,
      }),
    ).toEqual([
      `${name}: http.prot: is no setting; those of http are ${ofHttp.join(', ')}`,
      `${name}: operation.cost: is no setting; the groups of settings are ${groups.join(', ')}`,
      'DATABASE_URL: must look like mysql://user:password@host:3306/database',
      `${name}: database.connections: must be a whole number from 2 to 1000, not [1]`,
      `${name}: http.port: must be a whole number from 0 to 65535, not 70000`,
      'PLACEMENT_HTTP_LONGEST_BODY: must be a whole number from 1024 to 1073741824, not "1"',
      `${name}: graphql.graphiql: must be true or false, not "maybe"`,
      '--operations-cost: must be a whole number from 100 to 10000000, not "much"',
    ]);
  });

  test('may be the file itself', () => {
    const name = file('http: {');
    expect(errorsOf({ file: name })).toEqual([expect.stringMatching(/placement\.yaml: cannot be read: /)]);
    const missing = join(folder, 'missing.yaml');
    expect(errorsOf({ file: missing })).toEqual([
      `${missing}: cannot be read: ${'ENOENT: no such file or directory, open'} '${missing}'`,
    ]);
    expect(errorsOf({ file: file('- 1') })).toEqual([expect.stringMatching(/must be a map of settings/)]);
  });
});

/** The settings without any source. */
const LOG_UNSET = { PLACEMENT_LOG_FORMAT: '', PLACEMENT_LOG_LEVEL: '' };

describe('the program', () => {
  const printed = async (environment: Record<string, string>, ...options: string[]): Promise<string> =>
    (await new LocalCommand(['serve', '--print-config', ...options], environment).ended()).said;

  test('prints the settings and where they are from, as a file that gives the same settings', async () => {
    const config = file('operations: { cost: 500 }');
    const url = 'mysql://placement:secret@db.example/placement';
    const text = await printed(
      { DATABASE_URL: url, ...LOG_UNSET },
      ...['--config', config, '--allowed-host', 'a', 'b'],
    );
    expect(text).not.toContain('secret');
    expect(text).toContain(`cost: 500 # ${config}`);
    expect(parse(text)).toMatchObject({ http: { allowedHosts: ['a', 'b'] }, graphql: { graphiql: true } });
    const environment = { DATABASE_URL: url, PLACEMENT_HTTP_ALLOWED_HOSTS: 'a,b' };
    const before = read({ file: config, environment }).settings;
    expect(read({ file: file(text), environment }).settings).toEqual(before);
  });

  test.each(['secret', 'se:c@r/et'])('prints no part of the password %s', async (password) => {
    const text = await printed({ DATABASE_URL: `mysql://placement:${password}@db.example/placement` });
    expect(text).toContain('url: mysql://placement:***@db.example/placement # DATABASE_URL');
  });

  test('tells what makes no sense, and ends with 1', async () => {
    const { code, said } = await new LocalCommand(['serve', '--port', 'x'], {
      PLACEMENT_OPERATIONS_COST: '-1',
    }).ended();
    expect(code).toBe(1);
    expect(said).toBe(
      '--port: must be a whole number from 0 to 65535, not "x"\n' +
        'PLACEMENT_OPERATIONS_COST: must be a whole number from 100 to 10000000, not "-1"\n',
    );
  });
});
