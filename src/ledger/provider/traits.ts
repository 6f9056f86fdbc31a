import { idOf, idsByName } from '../../database/catalog.js';
import { columns, insertion, statement, tables, value, write } from '../../database/statements.js';
import { firstDuplicate, InvalidInput, unknownName } from '../../domain/invalidInput.js';
import { kindSet } from '../../feed/recordedChanges.js';
import { createCustom, deleteCustom } from '../catalog.js';
import { TraitInUse } from '../errors.js';
import { checkGeneration, checkVersioned, writeChanged } from '../generations.js';
import { linkAddition, linkChange, linkRemoval, storedLinks, writeLinks } from './links.js';
import { type LooseProviderVersion, requireProvider } from './providerRows.js';
import { inTransaction, type Ledger, type Transaction } from '../transaction.js';

/**
 * Replaces the provider's set of traits (rule 70); removing all needs no generation (71). The rest of the tree is
 * unaffected (72).
 *
 * Rejections: INVALID_INPUT (an unknown trait; a repeated one, decision D7), NOT_FOUND, PROVIDER_GENERATION_CONFLICT.
 * Bumps the generation if the set changes.
 */
export async function setTraits(
  ledger: Ledger,
  input: LooseProviderVersion & { readonly traits: readonly string[] },
): Promise<{ uuid: string }> {
  checkVersioned(input, input.traits, 'traits');
  await inTransaction(ledger, (tx) => changeTraits(tx, input, linkChange));
  return { uuid: input.resourceProvider };
}

/** Traits to add to or to remove from those of a provider. */
interface SomeTraits {
  readonly resourceProvider: string;
  readonly traits: readonly string[];
}

/**
 * Adds traits to a provider. Races with other writers are retried here, so no generation is needed.
 *
 * Rejections: INVALID_INPUT as {@link setTraits}, NOT_FOUND. Bumps the generation if the set changes.
 */
export async function addTraits(ledger: Ledger, input: SomeTraits): Promise<{ uuid: string }> {
  await inTransaction(ledger, (tx) => changeTraits(tx, input, linkAddition));
  return { uuid: input.resourceProvider };
}

/** Removes those of the traits that the provider has. Otherwise as {@link addTraits}. */
export async function removeTraits(ledger: Ledger, input: SomeTraits): Promise<{ uuid: string }> {
  await inTransaction(ledger, (tx) => changeTraits(tx, input, linkRemoval));
  return { uuid: input.resourceProvider };
}

async function changeTraits(
  tx: Transaction,
  { resourceProvider, generation, traits }: SomeTraits & LooseProviderVersion,
  changeOf: typeof linkChange,
): Promise<void> {
  const known = await idsByName(tx, 'traits', traits);
  checkTraits(traits, ['traits'], known);
  const provider = await requireProvider(tx, resourceProvider);
  checkGeneration(provider, generation);
  const given = traits.map((name) => ({ providerId: provider.id, targetId: idOf(known, name) }));
  const change = changeOf(await storedLinks(tx, 'resource_provider_traits', [provider]), given);
  await writeChanged(tx, provider, kindSet('TRAITS'), change, () =>
    writeLinks(tx, 'resource_provider_traits', change),
  );
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
    if (!known.has(name)) throw unknownName('trait', name, at);
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
