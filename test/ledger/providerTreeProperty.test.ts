import { beforeAll, expect, test } from '@jest/globals';
import { expectMoreThan, fc } from '../support/fastCheck.js';
import type { DesiredProvider } from '../../src/ledger/tree/treeInput.js';
import { createTrait } from '../../src/ledger/provider/traits.js';
import { Random } from '../oracle/random.js';
import { loadForest } from '../support/loadForest.js';
import { CLASSES, randomTree, TRAITS } from './randomTree.js';
import { refusalOf } from './support.js';
import { expectedOf, type Expected, type ModelAllocation, type ModelProvider } from './treeOracle.js';
import { aConsumer, apply } from './treeSupport.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase();
beforeAll(async () => {
  for (const name of TRAITS) await createTrait(database.ledger, { name });
});

/** Every provider that is stored, by name; roots are checked on the way. */
async function storedModel(): Promise<ModelProvider[]> {
  const rows = await database.pool.query<
    (Pick<ModelProvider, 'uuid' | 'name' | 'generation' | 'parent'> &
      Record<'root' | 'offers' | 'traits' | 'aggregates', string | null>)[]
  >(
    `SELECT p.uuid, p.name, p.generation, parent.uuid AS parent, root.uuid AS root,
       (SELECT GROUP_CONCAT(c.name, ':', i.total ORDER BY c.name) FROM inventories i
          JOIN resource_classes c ON c.id = i.resource_class_id WHERE i.resource_provider_id = p.id) AS offers,
       (SELECT GROUP_CONCAT(t.name ORDER BY t.name) FROM resource_provider_traits l
          JOIN traits t ON t.id = l.trait_id WHERE l.resource_provider_id = p.id) AS traits,
       (SELECT GROUP_CONCAT(a.uuid ORDER BY a.uuid) FROM resource_provider_aggregates l
          JOIN placement_aggregates a ON a.id = l.aggregate_id WHERE l.resource_provider_id = p.id) AS aggregates
     FROM resource_providers p LEFT JOIN resource_providers root ON root.id = p.root_provider_id
     LEFT JOIN resource_providers parent ON parent.id = p.parent_provider_id ORDER BY p.name`,
  );
  const parents = new Map(rows.map(({ uuid, parent }) => [uuid, parent]));
  const top = (uuid: string): string => (parents.get(uuid) ? top(parents.get(uuid)!) : uuid);
  const list = (text: string | null): string[] => text?.split(',') ?? [];
  return rows.map(({ uuid, name, generation, parent, root, offers, traits, aggregates }) => {
    expect(root).toBe(top(uuid));
    const inventories = Object.fromEntries(
      list(offers).map((offer) => [offer.split(':')[0], Number(offer.split(':')[1])]),
    );
    return {
      uuid,
      name,
      generation,
      parent,
      inventories,
      traits: list(traits),
      aggregates: list(aggregates),
    };
  });
}

/** By name; new providers that got a uuid of the server's, which the model cannot know, without it. */
function comparable(providers: readonly ModelProvider[], known: ReadonlySet<string>): ModelProvider[] {
  const label = (uuid: string | null) => (uuid === null || known.has(uuid) ? uuid : 'made up');
  return [...providers]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((each) => ({ ...each, uuid: label(each.uuid)!, parent: label(each.parent) }));
}

function uuidsIn({ uuid, children }: DesiredProvider): string[] {
  return [...(uuid ? [uuid] : []), ...(children ?? []).flatMap(uuidsIn)];
}

async function applyAsExpected(
  input: DesiredProvider,
  stored: readonly ModelProvider[],
  expected: Expected,
): Promise<void> {
  if ('refused' in expected) {
    const refusal = await refusalOf(apply(database, input));
    expect(refusal.code).toBe(expected.refused);
    if (expected.consumers) expect(refusal.consumers).toEqual(expected.consumers);
    expect(await storedModel()).toEqual(stored);
    return;
  }
  const { done, rootUuid } = await apply(database, input);
  const isGone = (change: string) => change.startsWith('DELETE');
  expect([...done.filter((each) => !isGone(each)), ...done.filter(isGone).sort()]).toEqual(expected.changes);
  const now = await storedModel();
  const known = new Set([...stored.map(({ uuid }) => uuid), ...uuidsIn(input)]);
  expect(comparable(now, known)).toEqual(comparable(expected.providers, known));
  expect((await apply(database, { ...input, uuid: rootUuid })).changes).toEqual([]);
  expect(await storedModel()).toEqual(now);
}

test('whatever is applied to whatever is stored ends as the model says, and a second time changes nothing', async () => {
  const counts: Record<string, number> = {};
  const run = async (seed: number): Promise<void> => {
    const random = new Random(seed);
    await loadForest(database, { providers: [], allocations: [] });
    const allocations: ModelAllocation[] = [];
    for (let step = 0; step < 15; step++) {
      const stored = await storedModel();
      const input = randomTree(random, stored);
      const expected = expectedOf(stored, allocations, input);
      const end = 'refused' in expected ? expected.refused : 'applied';
      counts[end] = (counts[end] ?? 0) + 1;
      await applyAsExpected(input, stored, expected);
      const taken = random.pick(await storedModel()) as ModelProvider | undefined;
      for (const resourceClass of random.some(CLASSES, 30)) {
        if (!taken || !(resourceClass in taken.inventories) || allocations.length > 3) continue;
        const consumer = await aConsumer(database, { [taken.uuid]: { [resourceClass]: 1 } });
        allocations.push({ consumer, provider: taken.uuid, resourceClass });
      }
    }
  };
  await fc.assert(fc.asyncProperty(fc.integer(), run), { numRuns: 40, endOnFailure: true });
  const ends = ['INVALID_INPUT', 'DUPLICATE_NAME', 'PROVIDER_GENERATION_CONFLICT', 'RESHAPE_NEEDED'];
  for (const end of ends) expectMoreThan(0, counts[end]);
  expectMoreThan(300, counts.applied);
}, 120_000);
