import { useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { ProviderBox, type Lit } from './providerBox';
import {
  centreOf,
  indentTree,
  placeTree,
  withoutPartitions,
  type TreeLink,
  type TreeProvider,
} from './treeLayout';
import './tree.css';

interface TreeDrawingProps<Provider extends TreeProvider> {
  /** The description for screen readers. */
  readonly label: string;
  /** The providers of the tree, the root first. */
  readonly tree: readonly Provider[];
  readonly sharing: readonly Provider[];
  /** The uuid of the selected provider. */
  readonly chosen?: string;
  /** Called when the user selects a provider. If it is omitted, the boxes are not buttons. */
  readonly onChoose?: (provider: Provider) => void;
  /** The highlighted providers by uuid, with the amounts taken from them. All others are dimmed. */
  readonly lit?: ReadonlyMap<string, Lit>;
}

/**
 * Draws a tree of providers, and the providers of other trees that share with it. Of the partitions of a device, it
 * draws those that are selected or highlighted.
 */
export function TreeDrawing<Provider extends TreeProvider>({
  label,
  tree: whole,
  sharing,
  chosen,
  onChoose,
  lit,
}: TreeDrawingProps<Provider>): ReactNode {
  const tree = useMemo(
    () => withoutPartitions(whole, { has: (uuid) => uuid === chosen || lit?.has(uuid) === true }),
    [whole, chosen, lit],
  );
  const isNarrow = useSyncExternalStore(subscribe, () => narrow.matches);
  const { width, height, providers, links } = useMemo(
    () =>
      isNarrow
        ? indentTree(tree, sharing, Math.min(innerWidth - MARGINS, WIDEST))
        : placeTree(tree, sharing, classWidth),
    [tree, sharing, isNarrow],
  );
  return (
    <div className="tree-frame" role="region" aria-label={label} tabIndex={0}>
      <div className="tree" style={{ width, height }}>
        <svg width={width} height={height} aria-hidden="true">
          {links.map((link) => (
            <path
              key={link.to.provider.uuid}
              d={isNarrow ? indentedPathOf(link) : pathOf(link)}
              className={link.isSharing ? 'tree-link sharing' : 'tree-link'}
            />
          ))}
        </svg>
        {providers.map((placed) => (
          <ProviderBox
            key={placed.provider.uuid}
            placed={placed}
            rootName={tree[0].name}
            isChosen={placed.provider.uuid === chosen}
            onChoose={onChoose && (() => onChoose(placed.provider))}
            isDim={lit !== undefined}
            lit={lit?.get(placed.provider.uuid)}
          />
        ))}
      </div>
    </div>
  );
}

const narrow = matchMedia('(max-width: 700px)');
/** The total width of the margins beside a tree on a narrow screen (pixels). */
const MARGINS = 54;
const WIDEST = 420;

function subscribe(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
}

const indentedPathOf = ({ from, to, isSharing }: TreeLink): string =>
  isSharing ? '' : `M${from.x + 10} ${from.y + from.height} V${centreOf(to)} H${to.x}`;

function pathOf({ from, to, isSharing }: TreeLink): string {
  if (isSharing) return `M16 ${from.y + from.height} V${to.y}`;
  const start = from.x + from.width;
  const middle = (start + to.x) / 2;
  return `M${start} ${centreOf(from)} H${middle} V${centreOf(to)} H${to.x}`;
}

const measuring = document.createElement('canvas').getContext('2d')!;

/** Returns the width of the name of a class in the font of tree.css (pixels). */
function classWidth(resourceClass: string): number {
  measuring.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  return measuring.measureText(resourceClass).width;
}
