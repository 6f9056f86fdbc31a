import { isStandard } from '../../database/catalog.js';
import { CATALOG } from '../../feed/writer.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import { idOf, idsByName } from '../../database/catalogNames.js';
import { NotFound, StandardIsImmutable, TraitInUse } from '../errors.js';
import { confirmUnchanged, judgeGeneration, markChanged } from '../generations.js';
import { linkChange, storedLinks, writeLinks } from './links.js';
import { checkCustomName } from '../names.js';
import { requireProvider } from './providerRows.js';
import { inTransaction, type Ledger } from '../transaction.js';

interface SetTraitsInput {
  readonly resourceProvider: string;
  readonly generation: number;
  readonly traits: readonly string[];
}

/**
 * Replaces the provider's set of traits (rule 70). Traits bind only the provider itself, nobody else in its tree (72).
 *
 * Refusals: INVALID_INPUT (an unknown trait; one given twice, decision D7), NOT_FOUND, PROVIDER_GENERATION_CONFLICT.
 * Bumps the generation if the set changes.
 */
export async function setTraits(ledger: Ledger, input: SetTraitsInput): Promise<{ uuid: string }> {
  await inTransaction(ledger, async (tx) => {
    const now = tx.now;
    const known = await idsByName(tx, 'traits', input.traits);
    checkTraits(input.traits, ['traits'], known);
    const provider = await requireProvider(tx, input.resourceProvider);
    judgeGeneration(provider, input.generation);
    const wanted = input.traits.map((name) => ({ providerId: provider.id, targetId: idOf(known, name) }));
    const change = linkChange(await storedLinks(tx, 'resource_provider_traits', [provider]), wanted);
    if (change.removed.length + change.added.length === 0) return confirmUnchanged(tx, [provider]);
    markChanged(tx, [provider], now);
    await writeLinks(tx, 'resource_provider_traits', change, now);
  });
  return { uuid: input.resourceProvider };
}

/** Refuses, first in input order, a trait that is unknown (decision D12) or was given before (D7). */
export function checkTraits(
  names: readonly string[],
  path: readonly string[],
  known: ReadonlyMap<string, number>,
): void {
  const seen = new Set<string>();
  names.forEach((name, index) => {
    const at = [...path, String(index)];
    if (!known.has(name)) throw new InvalidInput(at, `unknown trait ${name}`);
    if (seen.has(name)) throw new InvalidInput(at, `trait ${name} is given twice`);
    seen.add(name);
  });
}

/** Creates a custom trait, or finds it there already (rule 67). Refusals: INVALID_INPUT. */
export async function createTrait(
  ledger: Ledger,
  { name }: { readonly name: string },
): Promise<{ name: string; created: boolean }> {
  checkCustomName(name, 'trait');
  const created = await inTransaction(ledger, async (tx) => {
    if ((await idsByName(tx, 'traits', [name])).has(name)) return false;
    tx.announce([CATALOG]);
    await tx.query('INSERT INTO traits (name, created_at) VALUES (?, ?)', [name, tx.now]);
    return true;
  });
  return { name, created };
}

/**
 * Deletes a custom trait that no provider has (rules 66, 68). A rival that sets it at the same time is found by
 * the foreign key, and judged again.
 *
 * Refusals: NOT_FOUND (of an unknown name whether it is custom or not), STANDARD_IS_IMMUTABLE, TRAIT_IN_USE.
 */
export async function deleteTrait(
  ledger: Ledger,
  { name }: { readonly name: string },
): Promise<{ name: string }> {
  await inTransaction(ledger, async (tx) => {
    const id = (await idsByName(tx, 'traits', [name])).get(name);
    if (id === undefined) throw new NotFound('TRAIT', name);
    if (isStandard(name)) throw new StandardIsImmutable(name);
    const links = await tx.query<unknown[]>(
      'SELECT 1 FROM resource_provider_traits WHERE trait_id = ? LIMIT 1',
      [id],
    );
    if (links.length > 0) throw new TraitInUse(name);
    tx.announce([CATALOG]);
    await tx.query('DELETE FROM traits WHERE id = ?', [id]);
  });
  return { name };
}
