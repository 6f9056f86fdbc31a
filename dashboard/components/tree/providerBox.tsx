import { formatAmount, formatCount, formatShare } from '../format';
import { groupColour, GroupMark } from './groupMark';
import { slicesIn, type SliceRow } from './slices';
import type { PlacedProvider, TreeInventory } from './treeLayout';

/** The amounts taken from a highlighted provider. They are drawn in addition to its usage. */
export interface Lit {
  /** Maps a resource class to its amount. */
  readonly amounts: ReadonlyMap<string, number>;
  /** The request groups that the provider serves. `place` is their index in the request. */
  readonly groups: readonly { readonly place: number; readonly suffix: string }[];
}

interface ProviderBoxProps {
  readonly placed: PlacedProvider;
  readonly rootName: string;
  readonly isChosen: boolean;
  /** Whether the box is dimmed unless it is lit. */
  readonly isDim: boolean;
  readonly lit?: Lit;
  readonly onChoose?: () => void;
}

/** A provider of a drawn tree with its inventories. */
export function ProviderBox({
  placed: { provider, x, y, width, height },
  rootName,
  isChosen,
  isDim,
  lit,
  onChoose,
}: ProviderBoxProps) {
  const { name, isSharing, inventories, omittedChildren } = provider;
  const { rows, others } = slicesIn(inventories);
  const classes = [
    'provider-box',
    isChosen && 'chosen',
    isSharing && 'sharing',
    lit ? 'lit' : isDim && 'dim',
    lit && lit.groups.length > 0 && groupColour(lit.groups[0].place),
  ];
  const common = {
    className: classes.filter(Boolean).join(' '),
    style: { left: x, top: y, width, height },
    title: name,
  };
  const content = (
    <>
      <span className="provider-head">
        <span className="provider-name">{shortName(name, rootName)}</span>
        {lit && (
          <span className="group-marks">
            {lit.groups.map((group) => (
              <GroupMark key={group.suffix} {...group} />
            ))}
          </span>
        )}
      </span>
      {rows.map((row) => (
        <SlicesRow key={row.label} row={row} taken={lit?.amounts} />
      ))}
      {others.map((inventory) => (
        <InventoryRow
          key={inventory.resourceClass.name}
          inventory={inventory}
          taken={lit?.amounts.get(inventory.resourceClass.name) ?? 0}
        />
      ))}
      {omittedChildren !== undefined && (
        <span className="box-inventory muted">and {formatCount(omittedChildren, 'partition')}</span>
      )}
    </>
  );
  if (!onChoose) return <div {...common}>{content}</div>;
  return (
    <button type="button" {...common} aria-pressed={isChosen} onClick={onChoose}>
      {content}
    </button>
  );
}

interface InventoryRowProps {
  readonly inventory: TreeInventory;
  readonly taken: number;
}

function InventoryRow({ inventory: { resourceClass, used, capacity }, taken }: InventoryRowProps) {
  const shareOf = (amount: number): number => Math.min(capacity > 0 ? amount / capacity : 0, 1);
  // the capacity that a candidate states is 0 if the inventory is reserved whole
  const isOver = capacity > 0 && used + taken > capacity;
  return (
    <span className="box-inventory">
      <span className="box-class" title={resourceClass.name}>
        {resourceClass.name}
      </span>
      <span className={isOver ? 'box-track over' : 'box-track'} aria-hidden="true">
        <span style={{ width: `${shareOf(used) * 100}%` }} />
        {taken > 0 && <span className="taken" style={{ width: `${shareOf(taken) * 100}%` }} />}
      </span>
      {taken > 0 ? (
        <span className="box-share taken-amount">{formatAmount(taken)}</span>
      ) : (
        <span className="box-share">{formatShare(capacity > 0 ? used / capacity : null)}</span>
      )}
    </span>
  );
}

interface SlicesRowProps {
  readonly row: SliceRow<TreeInventory>;
  /** The amounts taken by class. */
  readonly taken: ReadonlyMap<string, number> | undefined;
}

function SlicesRow({ row: { label, slices }, taken }: SlicesRowProps) {
  const states = slices.map(({ inventory: { resourceClass, used } }) =>
    taken?.has(resourceClass.name) ? 'taken' : used > 0 ? 'used' : 'free',
  );
  const countOf = (state: string): number => states.filter((each) => each === state).length;
  return (
    <span className="box-inventory">
      <span className="box-class" title={label}>
        {label}
      </span>
      <span className="box-slices" aria-hidden="true">
        {states.map((state, at) => (
          <span key={slices[at].number} className={state} />
        ))}
      </span>
      {countOf('taken') > 0 ? (
        <span className="box-share taken-amount">{countOf('taken')}</span>
      ) : (
        <span className="box-share">
          {countOf('used')}/{slices.length}
        </span>
      )}
    </span>
  );
}

/** Removes the name of the root from the start of the name. */
export function shortName(name: string, rootName: string): string {
  const rest = name.startsWith(rootName) ? name.slice(rootName.length).replace(/^[-_.:/ ]+/, '') : name;
  return rest === '' ? name : rest;
}
