import { InvalidInput } from '../domain/invalidInput.js';

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

function checkName(name: string, path: readonly string[], what: string): void {
  const length = Array.from(name).length;
  if (length === 0) throw new InvalidInput(path, `${what} cannot be empty`);
  if (length > LONGEST_PROVIDER_NAME) {
    throw new InvalidInput(
      path,
      `${what} has at most ${LONGEST_PROVIDER_NAME} characters, but "${name.slice(0, 40)}..." has ${length}`,
    );
  }
  if (/\p{Cs}/u.test(name)) {
    throw new InvalidInput(path, `${what} is Unicode text, but this one has half a surrogate pair`);
  }
}

export function unstorableName(path: readonly string[], name: string): InvalidInput {
  return new InvalidInput(path, `the name ${JSON.stringify(name)} has characters that its table cannot hold`);
}

/** Rejects the name of a new trait or resource class that is not CUSTOM_ and then A-Z, 0-9, _ (rules 1, 2, 67, 75). */
export function checkCustomName(name: string, kind: 'trait' | 'resource class'): void {
  if (name.length > LONGEST_CUSTOM_NAME) {
    throw new InvalidInput(
      ['name'],
      `a ${kind} name has at most ${LONGEST_CUSTOM_NAME} characters, but "${name.slice(0, 40)}..." has ${name.length}`,
    );
  }
  if (!CUSTOM_NAME.test(name)) {
    throw new InvalidInput(['name'], `a new ${kind} is named CUSTOM_ and then A-Z, 0-9 or _, not "${name}"`);
  }
}
