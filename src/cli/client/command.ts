import { Option, type Command } from 'commander';
import { Client } from './client.js';
import { Failure } from './failure.js';
import { FORMATS, type Format, type Output } from './output.js';
import { serverOf } from './server.js';

export interface OutputOptions {
  readonly output: Format;
  readonly json?: boolean;
}

/** An option: flags, description, how its text is read, and its default. */
export type OptionRow =
  | readonly [
      flags: string,
      description: string,
      read?: (text: string, before?: never) => unknown,
      standard?: unknown,
    ]
  | Option;

/** Adds a command that asks a server. A failure is printed on standard error, and determines the exit code. */
export function addCommand<Options, Arguments extends unknown[]>(
  parent: Command,
  usage: string,
  description: string,
  options: readonly OptionRow[],
  perform: (client: Client, options: Options, ...args: Arguments) => Promise<Output>,
): Command {
  const command = parent
    .command(usage)
    .description(description)
    .addOption(new Option('-o, --output <format>', 'output format').choices(FORMATS).default('table'))
    .option('--json', 'same as -o json');
  for (const row of options) command.addOption(row instanceof Option ? row : optionOf(row));
  return command.action(async (...received: unknown[]) => {
    const given = received.at(-2) as Options & OutputOptions;
    const format = formatOf(given);
    try {
      const output = await perform(new Client(serverOf()), given, ...(received.slice(0, -2) as Arguments));
      const { textOf } = await import('./print.js');
      process.stdout.write(await textOf(output, format));
    } catch (error) {
      fail(error, format);
    }
  });
}

function optionOf([flags, description, read, standard]: Exclude<OptionRow, Option>): Option {
  const option = new Option(flags, description).default(standard);
  if (read) option.argParser<unknown>(read as (text: string, before: unknown) => unknown);
  return option;
}

export function formatOf({ json, output }: OutputOptions): Format {
  return json ? 'json' : output;
}

/** Prints a Failure. Throws other errors: they are faults of the program. */
export function fail(error: unknown, format: Format): void {
  if (!(error instanceof Failure)) throw error;
  const { exit, message, code, path } = error;
  process.exitCode = exit;
  if (format === 'table') console.error(`error: ${code ? `${code}: ` : ''}${message}`);
  else console.error(JSON.stringify({ error: { code: code ?? null, message, path: path ?? [], exit } }));
}
