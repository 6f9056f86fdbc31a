import { execFile } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { addClientCommands, runCommand } from '../../src/cli/client/program.js';
import { programEnvironment } from '../support/environment.js';

export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

interface Surroundings {
  readonly environment?: Record<string, string>;
  /** The standard input. It is empty by default. */
  readonly input?: string;
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

/** Options that leave a state in the modules of the program. */
const OF_GROUPS = /^--(group|resource|required|forbidden|(not-)?member-of|split|in-tree|in-subtree)$/;

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a client command in this process, which takes a tenth of the processor time of `runProcess`. Commands run one
 * after another, because each replaces the streams and the environment of the process.
 */
export function runClient(
  url: string,
  options: readonly string[],
  { environment = {}, input = '' }: Surroundings = {},
): Promise<Ended> {
  const program = new Command('placement-graphql');
  addClientCommands(program);
  const isOfClient = program.commands.some((each) => each.name() === options[0]);
  if (!isOfClient || options.some((option) => OF_GROUPS.test(option)))
    return runProcess(url, options, { environment, input });
  const command = async (): Promise<Ended> => {
    const [out, error] = [new Collector(), new Collector()];
    const restore = replace(process, {
      stdout: out,
      stderr: error,
      stdin: Readable.from([input]),
      argv: ['', '', ...options],
      env: { ...programEnvironment(), PLACEMENT_URL: url, ...environment },
    });
    const restoreConsole = replace(console, { error: (text: string) => error.write(`${text}\n`) });
    try {
      await runCommand(program);
      return { code: Number(process.exitCode ?? 0), out: out.text, error: error.text };
    } finally {
      process.exitCode = undefined;
      restoreConsole();
      restore();
    }
  };
  const ended = last.then(command);
  last = ended.catch(() => undefined);
  return ended;
}

class Collector extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Replaces properties of an object. Returns a function that restores them. */
function replace(object: object, values: object): () => void {
  const before = Object.keys(values).map(
    (name) => [name, Object.getOwnPropertyDescriptor(object, name)!] as const,
  );
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(object, name, { value: value as unknown, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of before) Object.defineProperty(object, name, descriptor);
  };
}
