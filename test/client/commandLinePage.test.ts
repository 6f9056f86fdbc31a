import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, test } from '@jest/globals';
import { addClientCommands } from '../../src/command/program.js';

const page = readFileSync(new URL('../../docs/reference/command-line.md', import.meta.url), 'utf8');
/** The cells of the table below a heading. */
const rowsBelow = (heading: string): string[][] =>
  page
    .split(`## ${heading}\n`)[1]
    .split('\n## ')[0]
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(1, -1).split('|'))
    .map((cells) => cells.map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')));

const program = new Command('placement-graphql');
addClientCommands(program);

/** Each command that does something: its usage as the help shows it, without its options, and its description. */
function leaves(command: Command, chain = ''): string[][] {
  const name = `${chain} ${command.name()}`.trim();
  if (command.commands.length > 0) return command.commands.flatMap((each) => leaves(each, name));
  return [[`${name} ${command.usage().replace(/^\[options\]\s?/, '')}`.trim(), command.description()]];
}

test('the page lists every command as the help of the program does', () => {
  expect(rowsBelow('Commands')).toEqual(program.commands.flatMap((command) => leaves(command)));
});

/** The entry points of osc-placement (openstack.placement.v1 in its setup.cfg). */
const REFERENCE = `
  resource provider allocation set, resource provider allocation unset, resource provider allocation show,
  resource provider allocation delete, resource provider create, resource provider list, resource provider show,
  resource provider set, resource provider delete, resource provider usage show, resource usage show,
  resource provider inventory set, resource provider inventory class set, resource provider inventory list,
  resource provider inventory show, resource provider inventory delete, resource provider aggregate list,
  resource provider aggregate set, resource class list, resource class create, resource class set, resource class show,
  resource class delete, trait list, trait show, trait create, trait delete, resource provider trait list,
  resource provider trait set, resource provider trait delete, allocation candidate list`
  .split(',')
  .map((name) => name.trim().replace(/\s+/g, ' '));

describe('every command of OpenStack has one here', () => {
  const rows = rowsBelow("Coming from OpenStack's command line");
  const nameIn = (text: string): string =>
    REFERENCE.filter((name) => `${text} `.startsWith(`${name} `)).at(-1)!;

  test('the table has each of them once', () => {
    expect(rows.map(([theirs]) => nameIn(theirs)).sort()).toEqual([...REFERENCE].sort());
  });

  test.each(rows)('%s: %s is no longer, and all of it is known', (theirs, ours) => {
    expect(ours.split(' ').length).toBeLessThanOrEqual(theirs.split(' ').length);
    let command = program;
    for (const word of ours.split(' '))
      command = command.commands.find((each) => each.name() === word) ?? command;
    expect(command.commands).toEqual([]);
    const flags = ours.split(' ').filter((word) => word.startsWith('--'));
    expect(command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(flags));
  });
});
