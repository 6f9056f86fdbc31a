import { ensure, firstDuplicate, InvalidInput } from './invalidInput.js';
import { isConsumerKey, normalizeUuid } from './uuid.js';

const LONGEST_PROVIDER_NAME = 200;
const CUSTOM_NAME = /^CUSTOM_[A-Z0-9_]+$/;
const LONGEST_CUSTOM_NAME = 255;

/** Rejects a provider's name that is empty or longer than 200 characters, on create and on rename (rule 6). */
export function checkProviderName(name: string, path: readonly string[] = ['name']): void {
  checkName(name, path, 'a provider name');
}

/** Applies the same rules to an aggregate. Also rejects a final space, which its column ignores. */
export function checkAggregateName(name: string): void {
  checkName(name, ['name'], 'the name of an aggregate');
  if (name.endsWith(' ')) throw new InvalidInput(['name'], `${JSON.stringify(name)} ends with a space`);
}

/** Rejects a key of consumers of another program that is no UUID: no write creates an object with it. */
export function checkNewUuid(uuid: string, path: readonly string[]): void {
  const isUuid = !isConsumerKey(uuid) || normalizeUuid(uuid) !== undefined;
  ensure(isUuid, path, `${uuid} is no UUID: 32 hexadecimal digits`);
}

function checkName(name: string, path: readonly string[], what: string): void {
  const length = Array.from(name).length;
  if (length === 0) throw new InvalidInput(path, `${what} cannot be empty`);
  checkLength(name, length, LONGEST_PROVIDER_NAME, path, what);
  if (/\p{Cs}/u.test(name))
    throw new InvalidInput(path, `${what} is Unicode text, but this one has half a surrogate pair`);
}

function checkLength(
  name: string,
  length: number,
  most: number,
  path: readonly string[],
  what: string,
): void {
  if (length <= most) return;
  const message = `${what} has at most ${most} characters, but "${name.slice(0, 40)}..." has ${length}`;
  throw new InvalidInput(path, message);
}

export function unstorableName(path: readonly string[], name: string): InvalidInput {
  return new InvalidInput(path, `the name ${JSON.stringify(name)} has characters that its table cannot hold`);
}

/** Rejects the name of a new trait or resource class that is not CUSTOM_ and then A-Z, 0-9, _ (rules 1, 2, 67, 75). */
export function checkCustomName(name: string, kind: 'trait' | 'resource class'): void {
  checkLength(name, name.length, LONGEST_CUSTOM_NAME, ['name'], `a ${kind} name`);
  if (!CUSTOM_NAME.test(name))
    throw new InvalidInput(['name'], `a new ${kind} is named CUSTOM_ and then A-Z, 0-9 or _, not "${name}"`);
}

const KINDS = {
  consumer: 'consumer',
  resourceProvider: 'resource provider',
  resourceClass: 'resource class',
};

/** Checks the items of a list in order. Rejects the first whose `field` repeats an earlier one (decision D7). */
export function checkEach<Field extends keyof typeof KINDS, Item extends Readonly<Record<Field, string>>>(
  items: readonly Item[],
  field: Field,
  path: readonly string[],
  check: (item: Item, path: readonly string[]) => void,
): void {
  const repeated = firstDuplicate(items.map((item) => item[field]));
  items.forEach((item, index) => {
    const here = [...path, String(index)];
    if (index === repeated)
      throw new InvalidInput([...here, field], `${KINDS[field]} ${item[field]} is given twice`);
    check(item, here);
  });
}
