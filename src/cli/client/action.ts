import { Option, type Command } from 'commander';
import { Client } from './connection/client.js';
import { Failure } from './connection/failure.js';
import { serverOf } from './connection/server.js';
import { FORMATS, type Format, type Output } from './output/output.js';

/** How the answer is printed. */
export interface OutputOptions {
  readonly output: Format;
  readonly json?: boolean;
}

/** A command of the client: its arguments as commander writes them, and the options of its output. */
export function addCommand(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .addOption(
      new Option('-o, --output <format>', 'how the answer is printed').choices(FORMATS).default('table'),
    )
    .option('--json', 'the same as -o json');
}

/**
 * Makes a function what a command does: it is given the server, the options and the arguments, and its answer is printed. A failure is
 * told on standard error, and by the exit code.
 */
export function action<Options, Arguments extends unknown[]>(
  perform: (client: Client, options: Options, ...args: Arguments) => Promise<Output>,
): (...received: unknown[]) => Promise<void> {
  return async (...received) => {
    const options = received.at(-2) as Options & OutputOptions;
    const format = formatOf(options);
    try {
      const output = await perform(new Client(serverOf()), options, ...(received.slice(0, -2) as Arguments));
      const { textOf } = await import('./output/print.js');
      process.stdout.write(await textOf(output, format));
    } catch (error) {
      fail(error, format);
    }
  };
}

export function formatOf({ json, output }: OutputOptions): Format {
  return json ? 'json' : output;
}

/** Tells why a command failed. What is no Failure is a fault of the program, and is not hidden. */
export function fail(error: unknown, format: Format): void {
  if (!(error instanceof Failure)) throw error;
  const { exit, message, code, path } = error;
  process.exitCode = exit;
  if (format === 'table') console.error(`error: ${code ? `${code}: ` : ''}${message}`);
  else console.error(JSON.stringify({ error: { code: code ?? null, message, path: path ?? [], exit } }));
}
