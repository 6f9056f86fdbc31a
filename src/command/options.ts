import { Option } from 'commander';
import { readAmounts, wholeNumber, type Amount } from './arguments.js';
import { Failure } from './failure.js';
import { DEFAULT_LIMIT } from './output.js';

/** An option whose parsed value has this type. */
export class OptionOf<Value> extends Option {
  declare readonly value: Value;
  /** Whether each occurrence adds to the value. Other options must be given at most once. */
  isRepeatable = false;

  /** Failures of the parser name the option. */
  override argParser<Parsed>(parse: (text: string, before: Parsed) => Parsed): this {
    return super.argParser((text: string, before: Parsed) => {
      try {
        return parse(text, before);
      } catch (error) {
        if (!(error instanceof Failure) || error.message.includes(this.long!)) throw error;
        throw error.withMessage(`${this.long} ${error.message}`);
      }
    });
  }

  repeatable(): this {
    this.isRepeatable = true;
    return this;
  }
}

/** Returns whether all values but the last would be ignored if an option were repeated. */
export function isSingle(option: Option): boolean {
  const isFlag = !option.required && !option.optional;
  return !isFlag && !option.variadic && !(option instanceof OptionOf && option.isRepeatable);
}

/** Maps the names of the values that a command receives to its options. */
export type Options = Readonly<Record<string, Option>>;

export type OptionValues<Of extends Options> = {
  readonly [Name in keyof Of]: Of[Name] extends OptionOf<infer Value> ? Value : never;
};

type Read<Value> = (text: string) => Value;

/** An option without a value. */
export function flag(flags: string, about: string) {
  return new OptionOf<boolean | undefined>(flags, about);
}

/** An option with one value. */
export function text<Value = string>(flags: string, about: string, read: Read<Value> = String as never) {
  return new OptionOf<Value | undefined>(flags, about).argParser(read);
}

/** An option that may be repeated. */
export function texts<Value = string>(flags: string, about: string, read: Read<Value> = String as never) {
  const collect = (each: string, before: Value[] = []): Value[] => [...before, read(each)];
  return new OptionOf<Value[] | undefined>(flags, about).argParser(collect).repeatable();
}

/** An option that may be repeated, with one or more amounts. */
export function amountsOption(flags: string, about: string) {
  const collect = (text: string, before: Amount[] = []): Amount[] => [...before, ...readAmounts(text)];
  return new OptionOf<Amount[] | undefined>(flags, about).argParser(collect).repeatable();
}

export function number<Default extends number | undefined = undefined>(
  flags: string,
  about: string,
  min: number,
  defaultValue?: Default,
) {
  const option = new OptionOf<number | Default>(flags, about);
  return option.argParser(wholeNumber(min)).default(defaultValue);
}

const readLimit = (value: string): number => (value === 'all' ? Infinity : wholeNumber(1)(value));

/** The maximum number of rows of a list. */
export const LIMIT = new OptionOf<number>('--limit <number>', 'maximum number of rows, or all')
  .argParser(readLimit)
  .default(DEFAULT_LIMIT);

/** The maximum number of rows of a list that is shown as a whole unless it is given. */
export const LIMIT_OF_ALL = text('--limit <number>', 'maximum number of rows; all if omitted', readLimit);

/** Makes an option mandatory. */
export function required<Value>(option: OptionOf<Value>) {
  return option.makeOptionMandatory() as OptionOf<NonNullable<Value>>;
}

/** Returns the value of an enum of the schema: SAME_TREE for `same-tree`. */
export function asEnum<Value extends string>(text: string): Value {
  return text.toUpperCase().replaceAll('-', '_') as Value;
}

/** All values of an enum of the schema. The compiler rejects a list that lacks one. */
type Enum<Value extends string> = Readonly<Record<Value, true>>;

const choicesOf = (values: Enum<string>): string[] =>
  Object.keys(values).map((value) => value.toLowerCase().replaceAll('_', '-'));

/** An option whose choices are the values of an enum of the schema. */
export function choice<Value extends string>(
  flags: string,
  about: string,
  values: Enum<Value>,
  defaultValue?: string,
) {
  const option = new OptionOf<Value | undefined>(flags, about).choices(choicesOf(values));
  const check = option.parseArg!;
  option.argParser((value, before) => asEnum<Value>(check(value, before as string)));
  return option.default(defaultValue && asEnum(defaultValue), JSON.stringify(defaultValue));
}

/** A repeatable option whose choices are the values of an enum of the schema. */
export function choices<Value extends string>(flags: string, about: string, values: Enum<Value>) {
  const all = choicesOf(values);
  const option = texts(flags, `${about}: ${all.join(', ')}; repeatable`, (value) => {
    if (all.includes(value.toLowerCase())) return asEnum<Value>(value);
    throw Failure.usage(`"${value}" must be one of ${all.join(', ')}`);
  });
  option.argChoices = all;
  return option;
}
