import { idOf, idsByName } from '../../database/catalogNames.js';
import { columns, insertion, statement, tables, value, write } from '../../database/statements.js';
import { firstDuplicate } from '../../domain/duplicates.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import { createCustom, deleteCustom } from '../catalog/customNames.js';
import { TraitInUse } from '../errors.js';
import { checkGeneration, checkVersioned, writeChanged } from '../generations.js';
import { linkChange, storedLinks, writeLinks } from './links.js';
import { requireProvider, type LooseProviderVersion } from './providerRows.js';
import { inTransaction, type Ledger } from '../transaction.js';

/**
 * Replaces the provider's set of traits (rule 70); to remove them all no generation is needed (71). Traits bind only the provider
 * itself, nobody else in its tree (72).
 *
 * Rejections: INVALID_INPUT (an unknown trait; one given twice, decision D7), NOT_FOUND, PROVIDER_GENERATION_CONFLICT.
 * Bumps the generation if the set changes.
 */
export async function setTraits(
  ledger: Ledger,
  input: LooseProviderVersion & { readonly traits: readonly string[] },
): Promise<{ uuid: string }> {
  checkVersioned(input, input.traits, 'traits');
  await inTransaction(ledger, async (tx) => {
    const known = await idsByName(tx, 'traits', input.traits);
    checkTraits(input.traits, ['traits'], known);
    const provider = await requireProvider(tx, input.resourceProvider);
    checkGeneration(provider, input.generation);
    const wanted = input.traits.map((name) => ({ providerId: provider.id, targetId: idOf(known, name) }));
    const change = linkChange(await storedLinks(tx, 'resource_provider_traits', [provider]), wanted);
    await writeChanged(tx, provider, change, () => writeLinks(tx, 'resource_provider_traits', change));
  });
  return { uuid: input.resourceProvider };
}

/** Rejects, first in input order, a trait that is unknown (decision D12) or was given before (D7). */
export function checkTraits(
  names: readonly string[],
  path: readonly string[],
  known: ReadonlyMap<string, number>,
): void {
  const repeated = firstDuplicate(names);
  names.forEach((name, index) => {
    const at = [...path, String(index)];
    if (!known.has(name)) throw new InvalidInput(at, `unknown trait ${name}`);
    if (index === repeated) throw new InvalidInput(at, `trait ${name} is given twice`);
  });
}

const INSERT = insertion('traits', ['name', 'created_at']);
const t = columns('resource_provider_traits');
const DELETE = statement(tables.deleteFrom('traits').where('id', '=', value<number>()));

/** Creates a custom trait, or finds it there already (rule 67). Rejections: INVALID_INPUT. */
export function createTrait(
  ledger: Ledger,
  { name }: { readonly name: string },
): Promise<{ name: string; created: boolean }> {
  return createCustom(ledger, 'traits', name, (tx) => tx.query(...INSERT([[name, tx.now]])));
}

/**
 * Deletes a custom trait that no provider has (rules 66, 68). If a concurrent writer sets it, the foreign key makes a
 * conflict of that. Rejections: NOT_FOUND, STANDARD_IS_IMMUTABLE, TRAIT_IN_USE.
 */
export function deleteTrait(ledger: Ledger, { name }: { readonly name: string }): Promise<{ name: string }> {
  return deleteCustom(ledger, 'traits', name, async (tx, id) => {
    const link = `SELECT 1 FROM resource_provider_traits WHERE ${t.trait_id} = ? LIMIT 1`;
    if ((await tx.query<unknown[]>(link, [id])).length > 0) throw new TraitInUse(name);
    await write(tx, DELETE, [id]);
  });
}
