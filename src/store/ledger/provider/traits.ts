import { columns, deletionFrom, write } from '../../sql/statements.js';
import { firstDuplicate, InvalidInput, unknownName } from '../../../model/input.js';
import { createCustom, deleteCustom, insertTrait } from '../catalog.js';
import { TraitInUse } from '../../../model/rejections.js';
import type { Ledger } from '../transaction.js';

/** Rejects the first trait in input order that is unknown (decision D12) or repeated (D7). */
export function checkTraits(
  names: readonly string[],
  path: readonly string[],
  known: ReadonlyMap<string, number>,
): void {
  const repeated = firstDuplicate(names);
  names.forEach((name, index) => {
    const at = [...path, String(index)];
    if (!known.has(name)) throw unknownName('trait', name, at);
    if (index === repeated) throw new InvalidInput(at, `trait ${name} is given twice`);
  });
}

const t = columns('resource_provider_traits');
const DELETE = { text: `${deletionFrom('traits')} WHERE ${columns('traits').id} = ?` };

/** Creates a custom trait unless it exists (rule 67). Rejections: INVALID_INPUT. */
export function createTrait(
  ledger: Ledger,
  { name }: { readonly name: string },
): Promise<{ name: string; created: boolean }> {
  return createCustom(ledger, 'traits', name, (tx) => insertTrait(tx, name));
}

/**
 * Deletes a custom trait that no provider has (rules 66, 68). If a concurrent writer sets it, the
 * foreign key causes a conflict. Rejections: NOT_FOUND, STANDARD_IS_IMMUTABLE, TRAIT_IN_USE.
 */
export function deleteTrait(ledger: Ledger, { name }: { readonly name: string }): Promise<{ name: string }> {
  return deleteCustom(ledger, 'traits', name, async (tx, id) => {
    const link = `SELECT 1 FROM resource_provider_traits WHERE ${t.trait_id} = ? LIMIT 1`;
    if ((await tx.query<unknown[]>(link, [id])).length > 0) throw new TraitInUse(name);
    await write(tx, DELETE, [id]);
  });
}
