import type { HostGroup } from '../fleetData';

/** The centre of a hexagon of radius 1 with a corner at its top. */
export interface Cell {
  readonly host: number;
  readonly x: number;
  readonly y: number;
}

export interface Label {
  /** The index of the group. */
  readonly group: number;
  readonly x: number;
  readonly y: number;
  /** The available width. */
  readonly width: number;
}

/** Hexagons in blocks, a block for each group, in units of their radius. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly cells: readonly Cell[];
  readonly labels: readonly Label[];
}

const CELL_WIDTH = Math.sqrt(3);
const ROW_HEIGHT = 1.5;
const GAP = 2.5;
/** The height of a label as a share of the width of its block. */
const LABEL_SHARE = 0.11;

interface Arrangement {
  /** `columns` counts the hexagons in a row of a block, `across` the blocks in a row. */
  readonly columns: number;
  readonly across: number;
  readonly blockWidth: number;
  readonly labelHeight: number;
  /** The height of each row of blocks, its label included. */
  readonly rowHeights: readonly number[];
}

/** Lays groups out with the largest hexagons that an area of this aspect ratio allows. */
export function layOut(groups: readonly HostGroup[], aspect: number): Layout {
  const arrangement = bestArrangement(groups, aspect);
  const { across, blockWidth, labelHeight, rowHeights } = arrangement;
  const cells: Cell[] = [];
  const labels: Label[] = [];
  groups.forEach(({ label, hosts }, index) => {
    const left = (index % across) * (blockWidth + GAP);
    const above = rowHeights.slice(0, Math.floor(index / across));
    const top = above.reduce((sum, height) => sum + height + GAP, 0);
    if (label !== '') labels.push({ group: index, x: left, y: top + labelHeight * 0.75, width: blockWidth });
    for (const [position, host] of hosts.entries())
      cells.push(cellAt(host, position, arrangement.columns, left, top + labelHeight));
  });
  return { ...sizeOf(arrangement), cells, labels };
}

function cellAt(host: number, position: number, columns: number, left: number, top: number): Cell {
  const row = Math.floor(position / columns);
  const shift = row % 2 === 0 ? 0.5 : 1;
  return { host, x: left + ((position % columns) + shift) * CELL_WIDTH, y: top + 1 + row * ROW_HEIGHT };
}

function bestArrangement(groups: readonly HostGroup[], aspect: number): Arrangement {
  const largest = Math.max(1, ...groups.map(({ hosts }) => hosts.length));
  let best: Arrangement | null = null;
  let bestScale = 0;
  for (const shape of [0.5, 0.7, 1, 1.4, 2, aspect * 0.87]) {
    const columns = Math.max(1, Math.round(Math.sqrt(largest * shape)));
    for (let across = 1; across <= Math.max(1, groups.length); across++) {
      const arrangement = arrange(groups, columns, across);
      const { width, height } = sizeOf(arrangement);
      const scale = Math.min(aspect / width, 1 / height);
      if (scale > bestScale) [best, bestScale] = [arrangement, scale];
    }
  }
  return best!;
}

function arrange(groups: readonly HostGroup[], columns: number, across: number): Arrangement {
  const blockWidth = (columns + 0.5) * CELL_WIDTH;
  const labelHeight = groups.some(({ label }) => label !== '') ? Math.max(blockWidth * LABEL_SHARE, 1.2) : 0;
  const rowHeights: number[] = [];
  groups.forEach(({ hosts }, index) => {
    const row = Math.floor(index / across);
    const height = labelHeight + (Math.ceil(hosts.length / columns) - 1) * ROW_HEIGHT + 2;
    rowHeights[row] = Math.max(rowHeights[row] ?? 0, height);
  });
  return {
    columns,
    across: Math.min(across, Math.max(groups.length, 1)),
    blockWidth,
    labelHeight,
    rowHeights,
  };
}

function sizeOf({ across, blockWidth, rowHeights }: Arrangement): { width: number; height: number } {
  const total = rowHeights.reduce((sum, height) => sum + height + GAP, -GAP);
  return { width: across * (blockWidth + GAP) - GAP, height: Math.max(total, 1) };
}
