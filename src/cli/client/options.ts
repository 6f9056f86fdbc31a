import { Option } from 'commander';
import type { ProviderRef } from '../../generated/client/operations.js';
import { reference, wholeNumber } from './arguments.js';
import { Failure } from './failure.js';
import type { Row } from './command.js';

type Read<Value> = (text: string) => Value;

/** An option without a value. */
export function flag(flags: string, about: string): Row<boolean | undefined> {
  return { option: new Option(flags, about) };
}

/** An option with one value. */
export function text(flags: string, about: string): Row<string | undefined>;
export function text<Value>(flags: string, about: string, read: Read<Value>): Row<Value | undefined>;
export function text(flags: string, about: string, read: Read<unknown> = String): Row<unknown> {
  return { option: new Option(flags, about).argParser(read) };
}

/** An option that may be repeated. */
export function texts(flags: string, about: string): Row<string[] | undefined>;
export function texts<Value>(flags: string, about: string, read: Read<Value>): Row<Value[] | undefined>;
export function texts(
  flags: string,
  about: string,
  read: Read<unknown> = String,
): Row<unknown[] | undefined> {
  const collect = (each: string, before: unknown[] = []): unknown[] => [...before, read(each)];
  return { option: new Option(flags, about).argParser(collect) };
}

export function number(flags: string, about: string, min: number): Row<number | undefined>;
export function number(flags: string, about: string, min: number, defaultValue: number): Row<number>;
export function number(
  flags: string,
  about: string,
  min: number,
  defaultValue?: number,
): Row<number | undefined> {
  return { option: new Option(flags, about).argParser(wholeNumber(min)).default(defaultValue) };
}

/** Makes an option mandatory. */
export function required<Value>({ option }: Row<Value>): Row<NonNullable<Value>> {
  return { option: option.makeOptionMandatory() };
}

/** Returns the value of an enum of the schema: SAME_TREE for `same-tree`. */
export function asEnum<Value extends string>(text: string): Value {
  return text.toUpperCase().replaceAll('-', '_') as Value;
}

/** An option whose choices are the values of an enum of the schema. */
export function choice<Value extends string>(
  flags: string,
  about: string,
  choices: readonly string[],
  defaultValue?: string,
): Row<Value | undefined> {
  const option = new Option(flags, about).choices(choices).default(defaultValue);
  return { option, resolve: (_client, given: string) => Promise.resolve(asEnum<Value>(given)) };
}

/** A provider by its uuid or its name. */
export function provider(flags: string, about: string): Row<ProviderRef | undefined> {
  return text(flags, about, reference);
}

/** Providers by their uuids or their names. */
export function providers(flags: string, about: string): Row<ProviderRef[] | undefined> {
  return texts(flags, about, reference);
}

/** A repeatable option whose choices are the values of an enum of the schema. */
export function choices<Value extends string>(
  flags: string,
  about: string,
  all: readonly string[],
): Row<Value[] | undefined> {
  const read = (value: string): Value => {
    if (all.includes(value.toLowerCase())) return asEnum(value);
    throw Failure.usage(`"${value}" must be one of ${all.join(', ')}`);
  };
  const row = texts(flags, `${about}: ${all.join(', ')}; repeatable`, read);
  row.option.argChoices = [...all];
  return row;
}
