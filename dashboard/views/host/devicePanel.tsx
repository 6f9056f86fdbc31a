import { useMemo } from 'react';
import { Link } from 'wouter';
import { Bar } from '../../components/bar';
import { DataTable, type Column } from '../../components/dataTable';
import { formatAmount, formatCount } from '../../components/format';
import { shortName } from '../../components/tree/providerBox';
import { rangeOf } from '../../components/tree/slices';
import {
  devicesIn,
  type Device,
  type DeviceProvider,
  type Partition,
  type PartitionName,
  type SliceBlock,
} from './devices';
import type { TreeConsumers } from './consumerTable';

interface DevicePanelProps {
  readonly tree: readonly DeviceProvider[];
  readonly consumers: TreeConsumers;
  /** Called with the name of a provider that the user selects. */
  readonly onChoose: (name: string) => void;
}

/** The devices that are divided into partitions: what occupies their slices, and which partitions fit. */
export function DevicePanel({ tree, consumers, onChoose }: DevicePanelProps) {
  const devices = useMemo(() => devicesIn(tree, consumers.nodes), [tree, consumers]);
  if (devices.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="devices">
      <h2 id="devices">{formatCount(devices.length, 'device')} with partitions</h2>
      <div className="devices">
        {devices.map((device) => (
          <DevicePart
            key={device.provider.uuid}
            device={device}
            rootName={tree[0].name}
            onChoose={onChoose}
          />
        ))}
      </div>
    </section>
  );
}

interface DevicePartProps {
  readonly device: Device;
  readonly rootName: string;
  readonly onChoose: (name: string) => void;
}

function DevicePart({ device, rootName, onChoose }: DevicePartProps) {
  const { provider, rows, amounts, partitions } = device;
  const list = (state: Partition['state'], about: string) => {
    const all = partitions.filter((each) => each.state === state);
    return (
      <PartitionList
        title={`${formatCount(all.length, 'partition')} ${about}`}
        {...{ device: provider.name, all, onChoose }}
      />
    );
  };
  return (
    <section className="device" aria-label={provider.name}>
      <button type="button" className="small" onClick={() => onChoose(provider.name)}>
        {shortName(provider.name, rootName)}
      </button>
      {rows.map(({ label, blocks }) => (
        <SliceStrip key={label} device={provider.name} label={label} blocks={blocks} onChoose={onChoose} />
      ))}
      <div className="device-amounts">
        {amounts.map(({ resourceClass, used, capacity }) => (
          <Bar
            key={resourceClass.name}
            resourceClass={resourceClass.name}
            used={used}
            capacity={capacity}
            detail="counter"
          />
        ))}
      </div>
      {list('free', 'can be allocated now, each by itself')}
      {list('blocked', 'cannot be allocated now')}
    </section>
  );
}

/** Returns the name of a partition without that of its device, or its class if it is an inventory of the device. */
const shortNameOf = ({ name, resourceClass }: PartitionName, device: string): string =>
  name === device ? resourceClass : shortName(name, device);

interface PartitionListProps {
  readonly device: string;
  readonly title: string;
  readonly all: readonly Partition[];
  readonly onChoose: (name: string) => void;
}

function PartitionList({ device, title, all, onChoose }: PartitionListProps) {
  return (
    <>
      <h3>{title}</h3>
      {all.length > 0 && (
        <div className="chips">
          {all.map(({ name, resourceClass, state, lacking }) => (
            <button
              key={`${name} ${resourceClass}`}
              type="button"
              className={`small partition ${state}`}
              title={`${resourceClass} of ${name}${lacking.length > 0 ? `, too little free of ${lacking.join(', ')}` : ''}`}
              onClick={() => onChoose(name)}
            >
              {shortNameOf({ name, resourceClass }, device)}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

interface SliceStripProps {
  readonly device: string;
  readonly label: string;
  readonly blocks: readonly SliceBlock[];
  readonly onChoose: (name: string) => void;
}

/** Draws a row of slices, and lists the occupants of those in use. */
function SliceStrip({ device, label, blocks, onChoose }: SliceStripProps) {
  const nameOf = (partition: PartitionName | null): string =>
    partition === null ? 'the counter alone' : shortNameOf(partition, device);
  const count = blocks.reduce((sum, { span }) => sum + span, 0);
  const free = blocks.filter(({ state }) => state === 'free').length;
  const namesOf = ({ state, occupants }: SliceBlock): string => {
    const names = occupants.map(({ partition }) => nameOf(partition));
    return names.length > 0 ? names.join(', ') : STATES[state];
  };
  const columns: readonly Column<SliceBlock>[] = [
    { key: 'slices', title: 'Slices', cell: ({ first, last }) => rangeOf(first, last) },
    {
      key: 'partition',
      title: 'Partition',
      isLong: true,
      cell: (block) =>
        block.occupants.some(({ partition }) => partition !== null)
          ? block.occupants.map(({ partition, consumer }) => (
              <button
                key={`${partition?.name} ${consumer}`}
                type="button"
                className="small"
                disabled={partition === null}
                onClick={() => onChoose(partition!.name)}
              >
                {nameOf(partition)}
              </button>
            ))
          : namesOf(block),
    },
    {
      key: 'consumer',
      title: 'Consumer',
      isLong: true,
      cell: ({ occupants }) =>
        occupants.map(({ consumer }) => (
          <Link key={consumer} href={`/consumers/${consumer}`}>
            <code>{consumer}</code>
          </Link>
        )),
    },
  ];
  const occupied = blocks.filter(({ state }) => state !== 'free');
  return (
    <>
      <div className="bar-head">
        <span className="bar-label">{label}</span>
        <span>
          {formatAmount(free)} of {formatAmount(count)} free
        </span>
      </div>
      <div
        className="slice-strip"
        style={{ gridTemplateColumns: `repeat(${count}, minmax(0, 1fr))` }}
        aria-hidden="true"
      >
        {blocks.map((block) => (
          <span
            key={block.first}
            className={block.state}
            style={{ gridColumn: `span ${block.span}` }}
            title={`${rangeOf(block.first, block.last)}: ${namesOf(block)}`}
          >
            {rangeOf(block.first, block.last)}
            <br />
            {namesOf(block)}
          </span>
        ))}
      </div>
      {occupied.length > 0 && (
        <DataTable
          caption={`Slices of ${label} in use on ${device}`}
          columns={columns}
          rows={occupied}
          keyOf={({ first }) => String(first)}
        />
      )}
    </>
  );
}

/** The text of slices whose consumers are not known. */
const STATES = { free: 'free', used: 'in use', over: 'in use more than once', reserved: 'reserved' };
