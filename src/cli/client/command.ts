import { Option, type Command as Program } from 'commander';
import { Client, serverOf, type ListArguments } from './client.js';
import { Failure } from './failure.js';
import {
  DEFAULT_LIMIT,
  FORMATS,
  printListing,
  textOf,
  type Columns,
  type Format,
  type Listing,
  type Output,
} from './output.js';
import { wholeNumber } from './arguments.js';
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

/** Maps the names of the values that a command receives to its options. */
export type Options = Readonly<Record<string, Row<unknown>>>;

/** An option whose value has this type. */
export interface Row<Value> {
  readonly option: Option;
  /** Converts the parsed value before the command runs. May send requests to the server. */
  readonly resolve?: (client: Client, given: never) => Promise<Value>;
}

export type Values<Of extends Options> = {
  readonly [Name in keyof Of]: Of[Name] extends Row<infer Value> ? Value : never;
};

export function command<Of extends Options, Arguments extends unknown[]>(
  usage: string,
  about: string,
  options: Of,
  run: (client: Client, options: Values<Of>, ...args: Arguments) => Promise<Result>,
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

/** The list that a command prints, page by page. */
export interface List<Data, Variables, Row> {
  readonly document: ListArguments<Data, Variables, Row>[0];
  readonly variables: ListArguments<Data, Variables, Row>[1];
  readonly listOf: ListArguments<Data, Variables, Row>[2];
  readonly columns: Columns<Row>;
  /** The text that `table` and `wide` print if there is no row. */
  readonly none?: string;
}

/** The maximum number of rows of a list. */
export const LIMIT: Row<number> = {
  option: new Option('--limit <number>', 'maximum number of rows, or all')
    .argParser((value) => (value === 'all' ? Infinity : wholeNumber(1)(value)))
    .default(DEFAULT_LIMIT),
};

/** A command that prints a list up to a limit. */
export function listCommand<Of extends Options, Arguments extends unknown[], Data, Variables, Row>(
  usage: string,
  about: string,
  options: Of,
  listFor: (options: Values<Of>, ...args: Arguments) => List<Data, Variables, Row>,
): Command {
  return command(usage, about, { ...options, limit: LIMIT }, (client, given, ...args: Arguments) => {
    const { limit, ...others } = given as { limit: number };
    const { document, variables, listOf, columns, none = 'none' } = listFor(others as Values<Of>, ...args);
    const pages = client.pages(document, variables, listOf, limit);
    return Promise.resolve({ pages, columns, none });
  });
}

/** Adds a command to its group. A failure goes to standard error, and determines the exit code. */
export function addCommand(program: Program, { usage, about, options, run }: Command): void {
  const [, groupName, rest] = /^(\w+) (\w.*)$/.exec(usage) ?? [];
  const group = program.commands.find((each) => each.name() === groupName) ?? program;
  const added = group
    .command(rest ?? usage)
    .description(about)
    .addOption(new Option('-o, --output <format>', 'output format').choices(FORMATS).default('table'))
    .option('--json', 'same as -o json');
  for (const { option } of Object.values(options)) added.addOption(option);
  added.action(async (...received: unknown[]) => {
    const given = received.at(-2) as Record<string, unknown>;
    const format = given.json ? 'json' : (given.output as Format);
    try {
      const client = new Client(serverOf(), format);
      const values = await valuesOf(client, options, given);
      const result = run(client, values as never, ...(received.slice(0, -2) as never));
      await result.then((output) => print(output, format)).catch((error) => suggest(client, error));
    } catch (error) {
      fail(error, format);
    }
  });
}

async function print(result: Result, format: Format): Promise<void> {
  if ('pages' in result) await printListing(result, format);
  else process.stdout.write(await textOf(result, format));
}

async function valuesOf(client: Client, options: Options, given: Record<string, unknown>): Promise<object> {
  const entries = Object.entries(options).map(async ([name, { option, resolve }]) => {
    const value = given[option.attributeName()];
    return [name, resolve && value !== undefined ? await resolve(client, value as never) : value] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Prints a Failure and sets the exit code. Rethrows other errors: they are bugs of the program. */
export function fail(error: unknown, format: Format): void {
  if (!(error instanceof Failure)) throw error;
  const { exit, message, code, path } = error;
  process.exitCode = exit;
  if (format !== 'json' && format !== 'yaml') console.error(`error: ${code ? `${code}: ` : ''}${message}`);
  else console.error(JSON.stringify({ error: { code: code ?? null, message, path: path ?? [], exit } }));
}
