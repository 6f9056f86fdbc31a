import type { Command as Program } from 'commander';
import { Client, type List } from './client.js';
import { Failure } from './failure.js';
import { LIMIT, type Options, type OptionValues } from './options.js';
import {
  FORMAT_OPTION,
  jsonOf,
  print,
  say,
  type OutputColumns,
  type Format,
  type Listing,
  type Output,
} from './output.js';
import { suggest } from './suggestions.js';

/** A command that sends operations to a server. */
export interface Command {
  /** The name and the arguments: `provider show <provider>`. */
  readonly usage: string;
  readonly about: string;
  readonly options: Options;
  readonly run: (client: Client, options: never, ...args: never) => Promise<Result>;
}

export type Result = Output | Listing;

export function command<Of extends Options, Arguments extends unknown[]>(
  usage: string,
  about: string,
  options: Of,
  run: (client: Client, options: OptionValues<Of>, ...args: Arguments) => Promise<Result>,
): Command {
  return { usage, about, options, run };
}

/** A command without options of its own. */
export function plainCommand<Arguments extends unknown[]>(
  usage: string,
  about: string,
  run: (client: Client, ...args: Arguments) => Promise<Result>,
): Command {
  return command(usage, about, {}, (client, _options, ...args: Arguments) => run(client, ...args));
}

/** A command that prints a list, page by page, up to a limit. `none` is the text of an empty list. */
export function listCommand<Of extends Options, Arguments extends unknown[], Data, Variables, Row>(
  usage: string,
  about: string,
  options: Of,
  listFor: (
    options: OptionValues<Of>,
    ...args: Arguments
  ) => List<Data, Variables, Row> & { readonly columns: OutputColumns<Row>; readonly none?: string },
): Command {
  return command(usage, about, { ...options, limit: LIMIT }, (client, given, ...args: Arguments) => {
    const { limit, ...others } = given as { limit: number };
    const { columns, none, ...list } = listFor(others as OptionValues<Of>, ...args);
    return Promise.resolve({ pages: client.pages(list, limit), columns, none });
  });
}

/** Adds a command to its group. A failure goes to standard error, and determines the exit code. */
export function addCommand(program: Program, { usage, about, options, run }: Command): void {
  const [, groupName, rest] = /^(\w+) (\w.*)$/.exec(usage) ?? [];
  const group =
    groupName === undefined ? program : program.commands.find((each) => each.name() === groupName)!;
  const added = group
    .command(rest ?? usage)
    .description(about)
    .addOption(FORMAT_OPTION)
    .option('--json', 'same as -o json');
  for (const option of Object.values(options)) added.addOption(option);
  added.action(async (...received: unknown[]) => {
    const given = received.at(-2) as Record<string, unknown>;
    const format = given.json ? 'json' : (given.output as Format);
    const values = Object.entries(options).map(([name, option]) => [name, given[option.attributeName()]]);
    try {
      const client = new Client(format);
      await run(client, Object.fromEntries(values) as never, ...(received.slice(0, -2) as never))
        .then((result) => print(result, format))
        .catch((error) => suggest(client, error));
    } catch (error) {
      fail(error, format);
    }
  });
}

/** Prints a Failure and sets the exit code. Rethrows other errors: they are bugs of the program. */
export function fail(error: unknown, format: Format): void {
  if (!(error instanceof Failure)) throw error;
  const { exit, message, code, path } = error;
  process.exitCode = exit;
  if (format !== 'json' && format !== 'yaml') say(`error: ${code ? `${code}: ` : ''}${message}`);
  else say(jsonOf({ error: { code: code ?? null, message, path: path ?? [], exit } }));
}
