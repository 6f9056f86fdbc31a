#!/usr/bin/env node
import './production.js';
import { Command } from 'commander';
import { addClientCommands, runCommand } from './command/program.js';
import { VERSION } from './store/version.js';

handleBrokenPipe();

const program = new Command('placement-graphql')
  .description('Serves the placement API, and asks a server from the shell.')
  .version(VERSION, '--version', 'print the version');
addClientCommands(program);

const [first] = process.argv.slice(2);
const isOfClient = program.commands.some((command) => command.name() === first);
if (!isOfClient) await addOthers();
await runCommand(program);

/** Client commands do not load the modules of the server. */
async function addOthers(): Promise<void> {
  const { addServerCommands } = await import('./server/commands/serverCommands.js');
  addServerCommands(program, first === undefined || first.startsWith('-'));
  const { addCompletionCommand } = await import('./command/completion.js');
  addCompletionCommand(program);
}

/**
 * Continues if output cannot be written. Node would end with an unexpected error, or hang if it
 * cannot write that error. A closed pipe (`| head`) is no failure; a full disk is.
 */
function handleBrokenPipe(): void {
  let isReported = false;
  const onError = ({ code, message }: NodeJS.ErrnoException): void => {
    if (code === 'EPIPE' || isReported) return;
    isReported = true;
    process.exitCode = 1;
    console.error(`the output cannot be written: ${message}`);
  };
  for (const stream of [process.stdout, process.stderr]) stream.on('error', onError);
}
