import { isStandard } from '../database/catalog.js';
import { type Database } from '../database/database.js';
import { InvalidInput } from '../engine/invalid.js';
import { idsByName } from './catalogNames.js';
import { NotFound, StandardIsImmutable, TraitInUse } from './errors.js';
import { confirmUnchanged, judgeGeneration, markChanged } from './generations.js';
import { checkCustomName } from './names.js';
import { requireProvider } from './providerRows.js';
import { inTransaction, readClock } from './transaction.js';

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
export async function setTraits(database: Database, input: SetTraitsInput): Promise<{ uuid: string }> {
  await inTransaction(database, async (tx) => {
    const now = readClock();
    const known = await idsByName(tx, 'traits', input.traits);
    const wanted = judgeTraits(input.traits, known);
    const provider = await requireProvider(tx, input.resourceProvider);
    judgeGeneration(provider, input.generation);
    const links = await tx.query<{ traitId: number }[]>(
      'SELECT trait_id AS traitId FROM resource_provider_traits WHERE resource_provider_id = ?',
      [provider.id],
    );
    const stored = new Set(links.map(({ traitId }) => traitId));
    const removed = [...stored].filter((id) => !wanted.has(id));
    const added = [...wanted].filter((id) => !stored.has(id));
    if (removed.length + added.length === 0) return confirmUnchanged(tx, provider);

    await markChanged(tx, [provider], now);
    if (removed.length > 0) {
      await tx.query(
        'DELETE FROM resource_provider_traits WHERE resource_provider_id = ? AND trait_id IN (?)',
        [provider.id, removed],
      );
    }
    if (added.length > 0) {
      await tx.query(
        `INSERT INTO resource_provider_traits (resource_provider_id, trait_id, created_at)
         VALUES ${added.map(() => '(?)').join(', ')}`,
        added.map((id) => [provider.id, id, now]),
      );
    }
  });
  return { uuid: input.resourceProvider };
}

/** The ids of the traits; INVALID_INPUT for the first that is unknown or was given before. */
function judgeTraits(names: readonly string[], known: ReadonlyMap<string, number>): Set<number> {
  const ids = new Set<number>();
  names.forEach((name, index) => {
    const path = ['traits', String(index)];
    const id = known.get(name);
    if (id === undefined) throw new InvalidInput(path, `unknown trait ${name}`);
    if (ids.has(id)) throw new InvalidInput(path, `trait ${name} is given twice`);
    ids.add(id);
  });
  return ids;
}

/** Creates a custom trait, or finds it there already (rule 67). Refusals: INVALID_INPUT. */
export async function createTrait(
  database: Database,
  { name }: { readonly name: string },
): Promise<{ name: string; created: boolean }> {
  checkCustomName(name, 'trait');
  const created = await inTransaction(database, async (tx) => {
    if ((await idsByName(tx, 'traits', [name])).has(name)) return false;
    await tx.query('INSERT INTO traits (name, created_at) VALUES (?, ?)', [name, readClock()]);
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
  database: Database,
  { name }: { readonly name: string },
): Promise<{ name: string }> {
  await inTransaction(database, async (tx) => {
    const id = (await idsByName(tx, 'traits', [name])).get(name);
    if (id === undefined) throw new NotFound('TRAIT', name);
    if (isStandard(name)) throw new StandardIsImmutable(name);
    const links = await tx.query<unknown[]>(
      'SELECT 1 FROM resource_provider_traits WHERE trait_id = ? LIMIT 1',
      [id],
    );
    if (links.length > 0) throw new TraitInUse(name);
    await tx.query('DELETE FROM traits WHERE id = ?', [id]);
  });
  return { name };
}
