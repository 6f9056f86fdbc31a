import { freeOf, saturatingSum, utilizationOf } from '../../domain/capacity.js';
import type { SortKey } from '../../domain/listing/orderedPage.js';
import { inventoryAt, NOT_RECORDED, type Block, type ProviderRef } from '../model/snapshot.js';

export const PLAIN_ORDER_FIELDS = ['NAME', 'CREATED_AT', 'UPDATED_AT', 'GENERATION'] as const;
export const CLASS_ORDER_FIELDS = [
  'CAPACITY',
  'USED',
  'AVAILABLE',
  'UTILIZATION',
  'TREE_CAPACITY',
  'TREE_USED',
  'TREE_AVAILABLE',
  'TREE_UTILIZATION',
] as const;

export type PlainOrderField = (typeof PLAIN_ORDER_FIELDS)[number];
export type ClassOrderField = (typeof CLASS_ORDER_FIELDS)[number];
export type ProviderOrderField = PlainOrderField | ClassOrderField;

export type PlannedKey =
  | { readonly field: PlainOrderField | 'UUID'; readonly resourceClass: null }
  | { readonly field: ClassOrderField; readonly resourceClass: number };

/** Null if the provider has no inventory of the class. */
type Figures = { readonly capacity: number; readonly used: number } | null;
type FiguresOf = (provider: ProviderRef) => Figures;

export function keyOfProvider(planned: PlannedKey): (provider: ProviderRef) => SortKey {
  return planned.resourceClass === null
    ? PLAIN_KEYS[planned.field]
    : figureKey(planned.field, planned.resourceClass);
}

const PLAIN_KEYS: Readonly<Record<PlainOrderField | 'UUID', (provider: ProviderRef) => SortKey>> = {
  NAME: ({ block, row }) => block.names[row],
  UUID: ({ block, row }) => block.uuids[row],
  GENERATION: ({ block, row }) => block.generations[row],
  CREATED_AT: ({ block, row }) => dateKey(block.createdAt[row]),
  UPDATED_AT: ({ block, row }) => dateKey(block.updatedAt[row]),
};

/**
 * Returns the columns that a key and the roots depend on. Unchanged columns are shared between versions of
 * a block.
 */
export function columnsOf(block: Block, { field }: PlannedKey): readonly object[] {
  const { treeStarts, ids } = block;
  const offer = [block.capacities, block.classes, block.inventoryStarts, treeStarts];
  const columns: Partial<Record<PlannedKey['field'], readonly object[]>> = {
    NAME: [block.names, treeStarts],
    UUID: [block.uuids, treeStarts],
    GENERATION: [block.generations, ids, treeStarts],
    CREATED_AT: [block.createdAt, ids, treeStarts],
    UPDATED_AT: [block.updatedAt, ids, treeStarts],
    CAPACITY: offer,
    TREE_CAPACITY: offer,
  };
  return columns[field] ?? [block.used, ...offer];
}

function dateKey(seconds: number): SortKey {
  return seconds === NOT_RECORDED ? null : seconds;
}

function figureKey(field: ClassOrderField, resourceClass: number): (provider: ProviderRef) => SortKey {
  const isOfTree = field.startsWith('TREE_');
  const figuresOf = isOfTree ? figuresOfTree(resourceClass) : figuresOfProvider(resourceClass);
  const key = FIGURES[field.replace('TREE_', '') as keyof typeof FIGURES];
  return (provider) => {
    const figures = figuresOf(provider);
    return figures && key(figures);
  };
}

const FIGURES = {
  CAPACITY: ({ capacity }: NonNullable<Figures>) => capacity,
  USED: ({ used }: NonNullable<Figures>) => used,
  AVAILABLE: freeOf,
  UTILIZATION: utilizationOf,
};

function figuresOfProvider(resourceClass: number): FiguresOf {
  return ({ block, row }) => {
    const at = inventoryAt(block, row, resourceClass);
    return at < 0 ? null : { capacity: block.capacities[at], used: block.used[at] };
  };
}

/** Caches the sum of the last tree. */
function figuresOfTree(resourceClass: number): FiguresOf {
  let known: { readonly block: Block; readonly tree: number; readonly figures: Figures } | undefined;
  return ({ block, row }) => {
    const tree = block.trees[row];
    if (known?.block !== block || known.tree !== tree)
      known = { block, tree, figures: sumOfTree(block, tree, resourceClass) };
    return known.figures;
  };
}

function sumOfTree(block: Block, tree: number, resourceClass: number): Figures {
  let [capacity, used, isOffered] = [0, 0, false];
  for (let row = block.treeStarts[tree]; row < block.treeStarts[tree + 1]; row++) {
    const at = inventoryAt(block, row, resourceClass);
    if (at < 0) continue;
    isOffered = true;
    capacity = saturatingSum(capacity, block.capacities[at]);
    used = saturatingSum(used, block.used[at]);
  }
  return isOffered ? { capacity, used } : null;
}
