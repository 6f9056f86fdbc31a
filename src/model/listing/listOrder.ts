import { InvalidInput, unknownName } from '../input.js';
import type { Path } from '../request.js';

export interface OrderEntry<Field extends string = string> {
  readonly field: Field;
  readonly direction: 'ASC' | 'DESC';
  /** The resource class, for fields that depend on one. */
  readonly resourceClass?: string | null;
}

const MOST_ENTRIES = 16;

/** @throws InvalidInput for too many entries, an unknown class or a repeated entry */
export function validateOrder(
  orderBy: readonly OrderEntry[],
  hasClass: (name: string) => boolean,
  path: Path = ['orderBy'],
): void {
  if (orderBy.length > MOST_ENTRIES)
    throw new InvalidInput(path, `${orderBy.length} entries: an order may have at most ${MOST_ENTRIES}`);
  const seen = new Set<string>();
  orderBy.forEach(({ field, resourceClass }, position) => {
    const here = [...path, String(position)];
    if (resourceClass != null && !hasClass(resourceClass))
      throw unknownName('resource class', resourceClass, [...here, field, 'resourceClass']);
    const key = `${field} ${resourceClass ?? ''}`.trim();
    if (seen.has(key)) throw new InvalidInput(here, `${key} is repeated`);
    seen.add(key);
  });
}
