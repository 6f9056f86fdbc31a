import { setImmediate } from 'node:timers/promises';
import type { AuditRule } from './rule.js';
import { list, read, statement, tables, type Queryable } from '../sql/statements.js';

const TREE_ROWS = statement(
  tables
    .selectFrom('resource_providers')
    .select(['id', 'parent_provider_id as parentId', 'root_provider_id as rootId'])
    .orderBy('id'),
);
const NAMES = statement(
  tables.selectFrom('resource_providers').select(['id', 'uuid', 'name']).where('id', 'in', list<number>()),
);

/** The number of providers in one time slice. */
const SLICE = 20_000;

/** The reasons why the parents of a provider lead to no root. */
const LOOP = 'its ancestors are a loop';
const ORPHAN = 'a parent on the way to its root does not exist';

/** The id of the root that the parents lead to, or the reason why they lead to none. */
type Reached = number | typeof LOOP | typeof ORPHAN;

/**
 * Finds providers whose recorded root is not the one that their parents lead to (rule 38). Reads all providers,
 * because depth is unlimited and one wrong parent affects everything below it.
 */
export const BROKEN_TREES: AuditRule = {
  check: 'BROKEN_TREE',
  count: async (reader) => (await brokenRows(reader)).length,
  async find(reader, [after], limit) {
    const broken = (await brokenRows(reader)).filter(({ id }) => id > after).slice(0, limit);
    if (broken.length === 0) return [];
    const ids = broken.flatMap(({ id, rootId, reached }) => [id, rootId, reached]);
    const providers = await read(reader, NAMES, [[...new Set(ids.filter((id) => typeof id === 'number'))]]);
    const byId = new Map(providers.map((provider) => [provider.id, provider]));
    const text = (id: number): string => {
      const provider = byId.get(id);
      return provider ? `${provider.name ?? ''} (${provider.uuid})` : `${id}, which does not exist`;
    };
    return broken.map(({ id, rootId, reached }) => ({
      key: [id, 0],
      message:
        `provider ${text(id)} ` +
        (rootId === null ? 'has no root' : `has the root ${text(rootId)}`) +
        (typeof reached === 'string' ? `, and ${reached}` : `, but its parents lead to ${text(reached)}`),
      provider: byId.get(id)!.uuid,
      consumer: null,
      resourceClass: null,
    }));
  },
};

interface BrokenRow {
  readonly id: number;
  readonly rootId: number | null;
  readonly reached: Reached;
}

/** Returns the providers with a wrong root, by id. Works in time slices, so that the server stays responsive. */
async function brokenRows(reader: Queryable): Promise<BrokenRow[]> {
  const rows = await read(reader, TREE_ROWS, []);
  const parents = new Map<number, number | null>();
  for (const [at, { id, parentId }] of rows.entries()) {
    parents.set(id, parentId);
    if (at % SLICE === SLICE - 1) await setImmediate();
  }
  const known = new Map<number, Reached>();
  const broken: BrokenRow[] = [];
  for (const [at, { id, rootId }] of rows.entries()) {
    const reached = reach(id, parents, known);
    if (reached !== rootId) broken.push({ id, rootId, reached });
    if (at % SLICE === SLICE - 1) await setImmediate();
  }
  return broken;
}

/** Follows the parents to a known result. Stores it for all on the way, to visit each only once. */
function reach(
  id: number,
  parents: ReadonlyMap<number, number | null>,
  known: Map<number, Reached>,
): Reached {
  const way = new Set<number>();
  let reached: Reached | undefined;
  for (let at = id; reached === undefined;) {
    const parent = parents.get(at);
    reached = known.get(at) ?? (way.has(at) ? LOOP : parent === undefined ? ORPHAN : undefined);
    way.add(at);
    if (parent === null) reached ??= at;
    else at = parent ?? at;
  }
  for (const passed of way) known.set(passed, reached);
  return reached;
}
