import type { DesiredProvider } from '../../src/ledger/tree/treeInput.js';

/** A provider of the model; inventories are totals by class. */
export interface ModelProvider {
  uuid: string;
  name: string;
  generation: number;
  parent: string | null;
  inventories: Record<string, number>;
  traits: string[];
  aggregates: string[];
}

export interface ModelAllocation {
  readonly consumer: string;
  readonly provider: string;
  readonly resourceClass: string;
}

export type Expected =
  | { readonly refused: string; readonly consumers?: string[] }
  /** Changes in the order of the input, then what is deleted, by name. */
  | { readonly providers: ModelProvider[]; readonly changes: string[] };

/**
 * What applying a tree must lead to, found the plain way: match, edit a copy step by step, then look at what came out. New
 * providers of the input must have a uuid.
 */
export function expectedOf(
  stored: readonly ModelProvider[],
  allocations: readonly ModelAllocation[],
  root: DesiredProvider,
): Expected {
  const before = new Map(stored.map((each) => [each.uuid, each]));
  const forest = structuredClone([...stored]);
  const find = (uuid: string | null | undefined) => forest.find((each) => each.uuid === uuid);
  const all: { desired: DesiredProvider; above: DesiredProvider | null }[] = [];
  const list = (desired: DesiredProvider, above: DesiredProvider | null): void => {
    all.push({ desired, above });
    for (const child of desired.children ?? []) list(child, desired);
  };
  list(root, null);

  const matched = new Map<DesiredProvider, ModelProvider>();
  for (const { desired } of all) {
    const known = find(desired.uuid);
    if (known) matched.set(desired, known);
  }
  if (matched.get(root) && matched.get(root)!.parent !== null) return { refused: 'INVALID_INPUT' };
  const isFree = (each: ModelProvider) => ![...matched.values()].includes(each);
  if (root.uuid == null) {
    const named = forest.find((each) => each.name === root.name && each.parent === null && isFree(each));
    if (named) matched.set(root, named);
  }
  const tops = new Set([...matched.values()].map(({ uuid }) => uuid));
  const isWithin = (each: ModelProvider | undefined): boolean =>
    each !== undefined && (tops.has(each.uuid) || isWithin(find(each.parent)));
  const reachable = forest.filter(isWithin);
  for (const { desired, above } of all) {
    if (desired.uuid != null || above === null) continue;
    const named = reachable.find((each) => each.name === desired.name && isFree(each));
    if (named) matched.set(desired, named);
  }
  if (
    all.some(({ desired }) => desired.uuid == null && !matched.has(desired) && desired.generation != null)
  ) {
    return { refused: 'INVALID_INPUT' };
  }

  const created = new Set<ModelProvider>();
  for (const { desired } of all) {
    if (matched.has(desired)) continue;
    const uuid = desired.uuid ?? `new ${desired.name}`;
    const made = { uuid, name: '', generation: 0, parent: null, inventories: {}, traits: [], aggregates: [] };
    forest.push(made);
    created.add(made);
    matched.set(desired, made);
  }
  for (const { desired, above } of all) {
    const each = matched.get(desired)!;
    each.name = desired.name;
    each.parent = above && matched.get(above)!.uuid;
    if (desired.inventories) {
      each.inventories = Object.fromEntries(desired.inventories.map((row) => [row.resourceClass, row.total]));
    }
    if (desired.traits) each.traits = [...desired.traits].sort();
    if (desired.aggregates) each.aggregates = [...desired.aggregates].sort();
  }
  const stated = new Set(matched.values());
  const deleted: ModelProvider[] = [];
  const remove = (each: ModelProvider): void => {
    deleted.push(each);
    for (const child of forest) if (child.parent === each.uuid && !stated.has(child)) remove(child);
  };
  for (const { desired } of all) {
    if (!desired.children) continue;
    const { uuid } = matched.get(desired)!;
    for (const child of forest) if (child.parent === uuid && !stated.has(child)) remove(child);
  }
  const left = forest.filter((each) => !deleted.includes(each));

  const names = left.map(({ name }) => name);
  if (new Set(names).size < names.length) return { refused: 'DUPLICATE_NAME' };
  const differs = (each: ModelProvider) => JSON.stringify(before.get(each.uuid)) !== JSON.stringify(each);
  for (const { desired } of all) {
    const each = matched.get(desired)!;
    if (desired.generation == null || !differs(each)) continue;
    if (created.has(each) || desired.generation !== each.generation)
      return { refused: 'PROVIDER_GENERATION_CONFLICT' };
  }
  const consumers = allocations
    .filter(
      ({ provider, resourceClass }) =>
        !(resourceClass in (left.find(({ uuid }) => uuid === provider)?.inventories ?? {})),
    )
    .map(({ consumer }) => consumer);
  if (consumers.length > 0) return { refused: 'RESHAPE_NEEDED', consumers };

  const changes = [
    ...all.flatMap(({ desired }) => {
      const each = matched.get(desired)!;
      if (created.has(each)) return [`CREATE ${each.name}`];
      return differs(each) ? [`UPDATE ${each.name}`] : [];
    }),
    ...deleted.map(({ uuid }) => `DELETE ${before.get(uuid)!.name}`).sort(),
  ];
  for (const each of left) if (!created.has(each) && differs(each)) each.generation += 1;
  return { providers: left, changes };
}
