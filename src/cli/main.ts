#!/usr/bin/env node
import './production.js';
import { Command } from 'commander';
import { addClientCommands, runCommand } from './client/program.js';
import { VERSION } from '../runtime/version.js';
import { surviveLostOutput } from './lostOutput.js';

surviveLostOutput();

const program = new Command('placement-graphql')
  .description('Serves the placement API, and asks a server from the shell.')
  .version(VERSION, '--version', 'print the version');
addClientCommands(program);

const [first] = process.argv.slice(2);
const isOfClient = program.commands.some((command) => command.name() === first);
if (!isOfClient) await addOthers();
await runCommand(program, isOfClient);

/** What asks a server does not load what a server is made of. */
async function addOthers(): Promise<void> {
  const { addServerCommands } = await import('./serverCommands.js');
  addServerCommands(program, first === undefined || first.startsWith('-'));
  const { addCompletionCommand } = await import('./client/completion.js');
  addCompletionCommand(program);
}
