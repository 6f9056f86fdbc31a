import { expect, test } from '@jest/globals';
import { databaseAddress, databaseAddresses } from '../../src/store/database/address.js';

test.each([
  [
    'mysql://anna:pw@db.example:3307/placement',
    { host: 'db.example', port: 3307, user: 'anna', password: 'pw', database: 'placement' },
  ],
  ['mariadb://anna@db/placement', { host: 'db', port: 3306, user: 'anna', database: 'placement' }],
  [
    'mysql://a%40b:p%3Aw%2F@db/p%20q',
    { host: 'db', port: 3306, user: 'a@b', password: 'p:w/', database: 'p q' },
  ],
  ['mysql://root@[::1]:3306/p', { host: '::1', port: 3306, user: 'root', database: 'p' }],
  [
    'mysql://root@localhost/p?socketPath=/run/a%20b.sock',
    { socketPath: '/run/a b.sock', user: 'root', database: 'p' },
  ],
  ['mysql://root@db/p?ssl=true', { host: 'db', port: 3306, user: 'root', database: 'p', ssl: true }],
])('%s', (url, address) => {
  expect(databaseAddress(url)).toEqual(address);
});

test('several hosts are several addresses, the preferred one first', () => {
  const rest = { user: 'a,b', password: 'p,w', database: 'p' };
  expect(databaseAddresses('mysql://a,b:p,w@h1:3307,[::1]:3308,h3/p')).toEqual([
    { host: 'h1', port: 3307, ...rest },
    { host: '::1', port: 3308, ...rest },
    { host: 'h3', port: 3306, ...rest },
  ]);
  expect(databaseAddresses('mysql://anna@h1/p?ssl=true')).toHaveLength(1);
  expect(() => databaseAddresses('mysql://anna:secret@h1,,h2/p')).toThrow('names an empty host');
});

test.each([
  ['postgres://root@db/p', 'looks like mysql://user:password@host:3306/name, and not postgres://'],
  ['db:3306', 'looks like mysql://'],
  ['', 'looks like mysql://'],
  ['mysql://anna:secret@db', 'the database URL of db names no database'],
  [
    'mysql://anna:secret@db/p?timeout=3',
    'unknown option timeout in the database URL (known: socketPath, ssl)',
  ],
  ['mysql://anna:secret@db/p?ssl=1', 'the option ssl of the database URL is true or false, and not 1'],
  ['mysql://anna:secret@db/p?ssl=', 'the option ssl of the database URL is true or false, and not '],
])('%s is refused without its password', (url, message) => {
  expect(() => databaseAddress(url)).toThrow(message);
  expect(() => databaseAddress(url)).not.toThrow('secret');
});
