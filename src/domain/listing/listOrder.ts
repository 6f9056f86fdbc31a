import { InvalidInput, unknownName } from '../invalidInput.js';
import type { Path } from '../providerConditions.js';

export interface OrderEntry<Field extends string = string> {
  readonly field: Field;
  readonly direction: 'ASC' | 'DESC';
  /** The resource class of fields that concern one. */
  readonly resourceClass?: string | null;
}

const MOST_ENTRIES = 16;

/** @throws InvalidInput for a missing, unknown or superfluous class and for a repeated entry */
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
