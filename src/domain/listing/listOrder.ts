import { InvalidInput, unknownName } from '../invalidInput.js';
import type { Path } from '../providerConditions.js';

/** One part of the order that a client asks for. */
export interface OrderEntry<Field extends string = string> {
  readonly field: Field;
  readonly direction: 'ASC' | 'DESC';
  /** Of which resource class, where the field is about one. */
  readonly resourceClass?: string | null;
}

/** More would make a list of a large fleet slow. */
const MOST_ENTRIES = 16;

/**
 * A known class for each field that is about one and for no other, and nothing twice.
 *
 * @throws InvalidInput
 */
export function validateOrder<Field extends string>(
  orderBy: readonly OrderEntry<Field>[],
  isAboutClass: (field: Field) => boolean,
  hasClass: (name: string) => boolean,
  path: Path = ['orderBy'],
): void {
  if (orderBy.length > MOST_ENTRIES)
    throw new InvalidInput(path, `${orderBy.length} entries: an order may have at most ${MOST_ENTRIES}`);
  const seen = new Set<string>();
  orderBy.forEach(({ field, resourceClass }, position) => {
    const here = [...path, String(position), 'resourceClass'];
    if (isAboutClass(field) && resourceClass == null)
      throw new InvalidInput(here, `${field} takes the name of a resource class`);
    if (!isAboutClass(field) && resourceClass != null)
      throw new InvalidInput(
        here,
        `${field} is not about a resource class: leave ${quoted(resourceClass)} out`,
      );
    if (resourceClass != null && !hasClass(resourceClass))
      throw unknownName('resource class', resourceClass, here);
    const key = `${field} ${resourceClass ?? ''}`;
    if (seen.has(key)) throw new InvalidInput([...path, String(position)], `${key.trim()} is there twice`);
    seen.add(key);
  });
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
