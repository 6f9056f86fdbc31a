import { freeOf, utilizationOf } from '../../model/input.js';
import type { SortKey } from '../../model/listing/orderedPage.js';
import { inventoryAt, NOT_RECORDED, type Block, type ProviderRef } from '../../fleet/snapshot.js';
import { addInventory, emptySums, type Sums } from '../../fleet/sums.js';

export type PlainOrderField = 'name' | 'createdAt' | 'updatedAt' | 'generation';
type Figure = 'Capacity' | 'Used' | 'Available' | 'Utilization';
/** Numbers of a resource class, for the provider or for its tree. */
export type ClassOrderField = Uncapitalize<Figure> | `tree${Figure}`;
export type ProviderOrderField = PlainOrderField | ClassOrderField;

export type PlannedKey =
  | { readonly field: PlainOrderField | 'uuid'; readonly resourceClass: null }
  | { readonly field: ClassOrderField; readonly resourceClass: number };

/** Null if the provider has no inventory of the class. */
type Figures = Readonly<Sums> | null;
type FiguresOf = (provider: ProviderRef) => Figures;

export function keyOfProvider(planned: PlannedKey): (provider: ProviderRef) => SortKey {
  return planned.resourceClass === null
    ? PLAIN_KEYS[planned.field]
    : figureKey(planned.field, planned.resourceClass);
}

const PLAIN_KEYS: Readonly<Record<PlainOrderField | 'uuid', (provider: ProviderRef) => SortKey>> = {
  name: ({ block, row }) => block.names[row],
  uuid: ({ block, row }) => block.uuids[row],
  generation: ({ block, row }) => block.generations[row],
  createdAt: ({ block, row }) => dateKey(block.createdAt[row]),
  updatedAt: ({ block, row }) => dateKey(block.updatedAt[row]),
};

/**
 * Returns the columns that a key and the roots depend on. Unchanged columns are shared between versions of
 * a block.
 */
export function columnsOf(block: Block, { field }: PlannedKey): readonly object[] {
  const { treeStarts, ids } = block;
  const offer = [block.capacities, block.classes, block.inventoryStarts, treeStarts];
  const columns: Partial<Record<PlannedKey['field'], readonly object[]>> = {
    name: [block.names, treeStarts],
    uuid: [block.uuids, treeStarts],
    generation: [block.generations, ids, treeStarts],
    createdAt: [block.createdAt, ids, treeStarts],
    updatedAt: [block.updatedAt, ids, treeStarts],
    capacity: offer,
    treeCapacity: offer,
  };
  return columns[field] ?? [block.used, ...offer];
}

function dateKey(seconds: number): SortKey {
  return seconds === NOT_RECORDED ? null : seconds;
}

function figureKey(field: ClassOrderField, resourceClass: number): (provider: ProviderRef) => SortKey {
  const figuresOf: FiguresOf = field.startsWith('tree')
    ? figuresOfTree(resourceClass)
    : ({ block, row }) => sumOf(block, row, row + 1, resourceClass);
  const key = FIGURES[field];
  return (provider) => {
    const figures = figuresOf(provider);
    return figures && key(figures);
  };
}

const SUMS = {
  capacity: ({ capacity }: Sums) => capacity,
  used: ({ used }: Sums) => used,
  utilization: utilizationOf,
};

const FIGURES: Readonly<Record<ClassOrderField, (sums: Sums) => SortKey>> = {
  ...SUMS,
  available: freeOf,
  treeCapacity: SUMS.capacity,
  treeUsed: SUMS.used,
  treeAvailable: ({ available }) => available,
  treeUtilization: SUMS.utilization,
};

/** Caches the sum of the last tree. */
function figuresOfTree(resourceClass: number): FiguresOf {
  let known: { readonly block: Block; readonly tree: number; readonly figures: Figures } | undefined;
  return ({ block, row }) => {
    const tree = block.trees[row];
    if (known?.block !== block || known.tree !== tree) {
      const { treeStarts } = block;
      known = { block, tree, figures: sumOf(block, treeStarts[tree], treeStarts[tree + 1], resourceClass) };
    }
    return known.figures;
  };
}

function sumOf(block: Block, start: number, end: number, resourceClass: number): Figures {
  const sums = emptySums();
  let isOffered = false;
  for (let row = start; row < end; row++) {
    const at = inventoryAt(block, row, resourceClass);
    if (at < 0) continue;
    isOffered = true;
    addInventory(sums, block, at);
  }
  return isOffered ? sums : null;
}
