import { useMemo } from 'react';
import { Link } from 'wouter';
import { useViewer } from '../../api/viewer';
import { useAddressState, useNameInPath } from '../../components/addressState';
import { Bar } from '../../components/bar';
import { formatCount } from '../../components/format';
import { hostPath } from '../../components/hostPath';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { TreeDrawing } from '../../components/tree/treeDrawing';
import { withMarks } from '../../components/tree/treeLayout';
import { ViewHead } from '../../components/viewHead';
import type { HostProviderFragment, HostQuery } from '../../generated/host/operations';
import { DrainPanel } from '../drain/drainPanel';
import { ChangeList } from './changeList';
import { ConsumerTable, type TreeConsumers } from './consumerTable';
import { DevicePanel } from './devicePanel';
import { counterTest } from './devices';
import { hasMaintenance, HostActions } from './hostActions';
import { ProviderEditor } from './providerEditor';
import { ProviderPanel } from './providerPanel';
import { useHost, type HostState } from './useHost';
import './host.css';

/** A host with its tree. The address may name any provider of the tree. */
export default function HostView() {
  const host = useNameInPath();
  return <HostOf key={host} host={host} />;
}

function HostOf({ host }: { readonly host: string }) {
  const { provider, ...state } = useHost(host);
  if (provider) return <Host key={provider.root.uuid} provider={provider} {...state} />;
  return (
    <div className="view">
      <ViewHead title={host} />
      {state.error ? (
        <ErrorState error={state.error} />
      ) : provider === undefined ? (
        <LoadingState />
      ) : (
        <EmptyState title="No provider has this name.">
          <Link href="/">To the fleet</Link>
        </EmptyState>
      )}
    </div>
  );
}

interface HostProps extends Pick<HostState, 'status' | 'changes'> {
  readonly provider: NonNullable<HostQuery['resourceProvider']>;
}

function Host({ provider, status, changes }: HostProps) {
  const { root } = provider;
  const { may } = useViewer();
  const [name, setName] = useAddressState('provider', provider.name);
  const tree = useMemo(() => [root, ...root.descendants], [root]);
  const drawn = useMemo(() => tree.map(withMarks), [tree]);
  const totals = useMemo(() => withoutCounters(root.treeTotals, tree), [root, tree]);
  const consumers = useMemo(() => withoutCounterAmounts(root.treeConsumers, tree), [root, tree]);
  const from = useMemo(() => ({ providers: [{ uuid: root.uuid }] }), [root.uuid]);
  const all = [...tree, ...root.sharingProviders];
  const found = all.find((one) => one.name === name);
  const chosen = found ?? root;
  return (
    <div className="view host">
      <ViewHead title={root.name} status={status}>
        <span className="muted">
          {formatCount(tree.length, 'provider')}
          {root.sharingProviders.length > 0 && `, ${root.sharingProviders.length} sharing`}
        </span>
        <Link href={`/?search=${encodeURIComponent(root.name)}`}>On the map</Link>
        {hasMaintenance(root) && <span className="chip warn">in maintenance</span>}
        {may('edit') && <HostActions tree={tree} />}
      </ViewHead>
      {!found && (
        <p className="notice" role="alert">
          No provider of this tree is named "{name}". <Link href={hostPath(root.name)}>Show the host</Link>
        </p>
      )}
      <div className="panel host-totals" role="group" aria-label="The whole tree">
        {totals.map(({ resourceClass, used, capacity }) => (
          <Bar key={resourceClass.name} resourceClass={resourceClass.name} used={used} capacity={capacity} />
        ))}
      </div>
      <div className="host-tree">
        <section className="panel" aria-labelledby="tree">
          <h2 id="tree">Tree</h2>
          <TreeDrawing
            label="Provider tree"
            tree={drawn}
            sharing={root.sharingProviders}
            chosen={chosen.uuid}
            onChoose={(one) => setName(one.name)}
          />
        </section>
        <ProviderPanel provider={chosen}>
          {may('edit') && tree.includes(chosen) && <ProviderEditor key={chosen.uuid} provider={chosen} />}
        </ProviderPanel>
      </div>
      <DevicePanel tree={tree} consumers={root.treeConsumers} onChoose={setName} />
      <ConsumerTable consumers={consumers} />
      <DrainPanel from={from} open={hasMaintenance(root) ? [] : [root.name]} />
      <ChangeList changes={changes} updatedAt={latestOf(tree)} />
    </div>
  );
}

/** Omits the classes that only counters have, which the devices show. */
function withoutCounters<Total extends { readonly resourceClass: { readonly name: string } }>(
  totals: readonly Total[],
  tree: readonly HostProviderFragment[],
): readonly Total[] {
  const inventories = tree.flatMap((provider) => provider.inventories);
  const hasSome = (name: string, counters: boolean): boolean =>
    inventories.some(({ resourceClass, isCounter }) => resourceClass.name === name && isCounter === counters);
  return totals.filter(({ resourceClass: { name } }) => hasSome(name, false) || !hasSome(name, true));
}

/** Omits the allocations of counters, which follow from those of partitions. */
function withoutCounterAmounts(
  consumers: TreeConsumers,
  tree: readonly HostProviderFragment[],
): TreeConsumers {
  const isCounter = counterTest(tree);
  const nodes = consumers.nodes.map((consumer) => ({
    ...consumer,
    allocations: consumer.allocations.filter((each) => !isCounter(each)),
  }));
  return { ...consumers, nodes };
}

function latestOf(tree: readonly HostProviderFragment[]): string | null {
  const times = tree.flatMap(({ updatedAt }) => updatedAt ?? []).sort();
  return times.at(-1) ?? null;
}
