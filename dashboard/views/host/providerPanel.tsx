import type { ReactNode } from 'react';
import { Bar } from '../../components/bar';
import { Chips } from '../../components/chip';
import { formatAmount, formatSize, formatTime } from '../../components/format';
import type { HostProviderFragment } from '../../generated/host/operations';

type Inventory = HostProviderFragment['inventories'][number];

interface ProviderPanelProps {
  readonly provider: HostProviderFragment;
  /** The controls that change the provider. */
  readonly children?: ReactNode;
}

/** The properties of a provider. */
export function ProviderPanel({ provider, children }: ProviderPanelProps) {
  const { name, uuid, generation, createdAt, updatedAt, inventories, traits, aggregates } = provider;
  return (
    <section className="panel provider-panel" aria-labelledby="provider">
      <h2 id="provider">{name}</h2>
      <p className="muted">
        <code>{uuid}</code>
      </p>
      {inventories.length === 0 && <p className="muted">It has no inventories.</p>}
      {inventories.map((inventory) => (
        <Bar
          key={inventory.resourceClass.name}
          resourceClass={inventory.resourceClass.name}
          used={inventory.used}
          capacity={inventory.capacity}
          detail={detailOf(inventory)}
        />
      ))}
      <h3>Traits</h3>
      <Chips names={traits.map((trait) => trait.name)} />
      <h3>Aggregates</h3>
      <Chips names={aggregates.map((aggregate) => aggregate.name ?? aggregate.uuid)} />
      <dl className="facts">
        <dt>Generation</dt>
        <dd>{generation}</dd>
        <dt>Created</dt>
        <dd>{formatTime(createdAt)}</dd>
        <dt>Changed</dt>
        <dd>{formatTime(updatedAt)}</dd>
      </dl>
      {children}
    </section>
  );
}

/** Returns the total, and the capacity settings and allocation limits that are not the defaults. */
function detailOf({
  resourceClass,
  total,
  reserved,
  allocationRatio,
  minUnit,
  maxUnit,
  stepSize,
}: Inventory): string {
  const parts = [`total ${formatSize(resourceClass.name, total)}`];
  if (reserved > 0) parts.push(`${formatSize(resourceClass.name, reserved)} reserved`);
  if (allocationRatio !== 1) parts.push(`× ${Number(allocationRatio.toPrecision(6))}`);
  if (minUnit > 1 || maxUnit < total) parts.push(`units ${formatAmount(minUnit)}–${formatAmount(maxUnit)}`);
  if (stepSize > 1) parts.push(`step ${formatAmount(stepSize)}`);
  return parts.join(' · ');
}
