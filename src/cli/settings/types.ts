import { z } from 'zod';

/** Kinds of settings. Each reads what a file has, and text, which is all that flags and variables have. */

const text = z.string().min(1);

/** Whatever is no text is taken as it is. */
const fromText = <T extends z.ZodType>(read: (value: string) => unknown, type: T) =>
  z.preprocess((value) => (typeof value === 'string' ? read(value) : value), type);

const toNumber = (value: string): unknown => (value.trim() === '' ? value : Number(value));

export function whole(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return fromText(toNumber, z.number(message).int(message).min(least, message).max(most, message));
}

export function seconds(most: number) {
  const message = `must be a number of seconds above 0 and up to ${most}`;
  return fromText(toNumber, z.number(message).positive(message).max(most, message));
}

export function secondsOrNone(most: number) {
  const message = `must be a number of seconds from 0 to ${most}`;
  return fromText(toNumber, z.number(message).min(0, message).max(most, message));
}

export function trueOrFalse() {
  const words: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };
  return fromText((value) => words[value] ?? value, z.boolean('must be true or false'));
}

export function path() {
  return text;
}

/** Text has commas between the members. */
export function listOfText() {
  const members = (value: string): string[] => value.split(',').map((member) => member.trim());
  return fromText(members, z.array(text, 'must be a list of texts'));
}

export function databaseUrl() {
  const message = 'must look like mysql://user:password@host:3306/database';
  return z.string(message).regex(/^(mysql|mariadb):\/\//, message);
}
