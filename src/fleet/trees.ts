import { NO_PARENT, positionOf, type ProviderColumns } from './providerColumns.js';

/** Consecutive trees, each depth first. */
export interface Trees {
  readonly columns: ProviderColumns;
  /** By tree: the position of its root, and one more at the end. */
  readonly starts: Int32Array;
  /** By position: the provider's row in the columns. */
  readonly rows: Int32Array;
  /** By position: the parent's position, -1 for a root. */
  readonly parents: Int32Array;
  /** By position: one past the last descendant. */
  readonly ends: Int32Array;
}

/**
 * Arranges providers as trees, roots and siblings in column order. Omits providers that are not connected
 * with the root that they name, which another program may have left.
 */
export function treesOf(columns: ProviderColumns): Trees {
  const { ids, parentIds, rootIds } = columns;
  const { last, previous } = childrenOf(columns);
  const rows = new Int32Array(ids.length);
  const parents = new Int32Array(ids.length);
  const above = new Int32Array(ids.length).fill(-1);
  const stack = new Int32Array(ids.length);
  const starts: number[] = [];
  let position = 0;
  for (let root = 0; root < ids.length; root++) {
    if (parentIds[root] !== NO_PARENT || rootIds[root] !== ids[root]) continue;
    starts.push(position);
    stack[0] = root;
    for (let height = 1; height > 0; position++) {
      const row = stack[--height];
      rows[position] = row;
      parents[position] = above[row];
      for (let child = last[row]; child >= 0; child = previous[child]) {
        if (rootIds[child] !== ids[root]) continue;
        above[child] = position;
        stack[height++] = child;
      }
    }
  }
  starts.push(position);
  return {
    columns,
    starts: Int32Array.from(starts),
    rows: rows.subarray(0, position),
    parents: parents.subarray(0, position),
    ends: endsOf(parents.subarray(0, position)),
  };
}

/** Returns the trees from `from` to before `to`. */
export function sliceOf(trees: Trees, from: number, to: number): Trees {
  return { ...trees, starts: trees.starts.subarray(from, to + 1) };
}

/** Returns the last child and the previous sibling of each row; -1 if there is none. */
function childrenOf({ ids, parentIds }: ProviderColumns): { last: Int32Array; previous: Int32Array } {
  const last = new Int32Array(ids.length).fill(-1);
  const previous = new Int32Array(ids.length).fill(-1);
  for (let row = 0; row < ids.length; row++) {
    const parent = parentIds[row] === NO_PARENT ? -1 : positionOf(ids, parentIds[row]);
    if (parent < 0) continue;
    previous[row] = last[parent];
    last[parent] = row;
  }
  return { last, previous };
}

function endsOf(parents: Int32Array): Int32Array {
  const ends = parents.map((_, position) => position + 1);
  for (let position = parents.length - 1; position >= 0; position--) {
    const parent = parents[position];
    if (parent >= 0) ends[parent] = Math.max(ends[parent], ends[position]);
  }
  return ends;
}
