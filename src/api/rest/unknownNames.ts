import { idsByName } from '../../database/catalog.js';
import type { Alternatives } from '../../domain/providerConditions.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import type { Context } from '../../schema/context.js';
import { RestError } from './restErrors.js';

/** The traits of a request. */
interface NamedTraits {
  readonly requiredTraits?: Alternatives;
  readonly forbiddenTraits?: readonly string[];
}

/** Rejects with the errors of a read, but names all unknown traits of the request and not only the first. */
export async function withUnknownNames<T>(
  work: Promise<T>,
  { database }: Context,
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
    const names = [...new Set([...requiredTraits.flat(), ...forbiddenTraits])];
    const known = await idsByName(database.pool, 'traits', names);
    const missing = names.filter((name) => !known.has(name)).sort();
    throw new RestError(
      400,
      `Invalid trait(s) in "required" parameter: No such trait(s): ${missing.join(', ')}.`,
    );
  }
}
