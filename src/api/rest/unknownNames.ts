import { idsByName } from '../../store/sql/catalog.js';
import type { Alternatives } from '../../model/request.js';
import { InvalidInput } from '../../model/input.js';
import type { Context } from '../context.js';
import { RestError } from './restErrors.js';

/** The traits of a request. */
interface NamedTraits {
  readonly requiredTraits?: Alternatives;
  readonly forbiddenTraits?: readonly string[];
}

/** Rejects with the errors of a read, but names all unknown traits of the request and not only the first. */
export async function withUnknownNames<T>(
  work: Promise<T>,
  context: Context,
  { requiredTraits = [], forbiddenTraits = [] }: NamedTraits,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const unknown = error instanceof InvalidInput ? error.unknown : null;
    if (unknown === null) throw error;
    if (unknown.kind === 'resource class')
      throw new RestError(
        400,
        `Invalid resource class in resources parameter: No such resource class ${unknown.name}.`,
      );
    const missing = await unknownTraits(context, [...requiredTraits.flat(), ...forbiddenTraits]);
    throw new RestError(400, `Invalid trait(s) in "required" parameter: No such trait(s): ${missing}.`);
  }
}

/** Lists the names that are no traits, sorted. */
export async function unknownTraits({ database }: Context, names: readonly string[]): Promise<string> {
  const known = await idsByName(database.pool, 'traits', names);
  return [...new Set(names)]
    .filter((name) => !known.has(name))
    .sort()
    .join(', ');
}
