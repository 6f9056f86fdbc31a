import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { Command } from 'commander';
import { addCompletionCommand } from '../../src/command/completion.js';
import { addClientCommands } from '../../src/command/program.js';
import { addServerCommands } from '../../src/server/commands/serverCommands.js';
import { programEnvironment } from '../support/environment.js';
import { runHere, type Surroundings } from '../support/runHere.js';

export const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs the compiled program against a server to its end. */
export function runProcess(
  url: string,
  options: readonly string[],
  { environment = {}, input = '' }: Surroundings = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...programEnvironment(), PLACEMENT_URL: url, ...environment };
    const child = execFile(process.execPath, [MAIN, ...options], { env }, (failure, out, error) =>
      resolve({ code: Number(failure?.code ?? 0), out, error }),
    );
    child.stdin!.end(input);
  });
}

/** Runs a command line in this process, as the program does. */
export async function runClient(
  url: string,
  options: readonly string[],
  { environment = {}, ...surroundings }: Surroundings = {},
): Promise<Ended> {
  const program = new Command('placement-graphql');
  addClientCommands(program);
  const isOfClient = program.commands.some((each) => each.name() === options[0]);
  if (!isOfClient) {
    addServerCommands(program, false);
    addCompletionCommand(program);
  }
  let [out, error] = ['', ''];
  const code = await runHere(program, options, {
    environment: { PLACEMENT_URL: url, ...environment },
    ...surroundings,
    onOut: (text) => (out += text),
    onError: (text) => (error += text),
  });
  return { code, out, error };
}

/**
 * Returns functions that run command lines against a server. Spaces separate the words of a text.
 * @param first the first words of every command line
 */
export function clientOf(api: { readonly url: string }, ...first: string[]) {
  const run = (...texts: string[]): Promise<Ended> =>
    runClient(
      api.url,
      [...first, ...texts].flatMap((text) => text.split(' ')),
    );
  /** Returns the output of a command that succeeds without a message. */
  const outputOf = async (...texts: string[]): Promise<string> => {
    const { code, out, error } = await run(...texts);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    return out;
  };
  const json = async <Data = unknown>(...texts: string[]): Promise<Data> =>
    JSON.parse(await outputOf(...texts, '--json')) as Data;
  return { run, outputOf, json };
}
