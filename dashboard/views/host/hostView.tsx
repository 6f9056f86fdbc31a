import { useMemo } from 'react';
import { Link, useParams } from 'wouter';
import { useAddressState } from '../../components/addressState';
import { Bar } from '../../components/bar';
import { formatCount } from '../../components/format';
import { LiveMark } from '../../components/liveMark';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { TreeDrawing } from '../../components/tree/treeDrawing';
import type { HostProviderFragment, HostQuery } from '../../generated/host/operations';
import { ChangeList } from './changeList';
import { ConsumerTable } from './consumerTable';
import { DrainPanel } from './drainPanel';
import { ProviderPanel } from './providerPanel';
import { useHost, type HostState } from './useHost';
import './host.css';

/** One host, with all that belongs to its tree. Any provider names the tree that it is in. */
export default function HostView() {
  const { host = '' } = useParams<{ host: string }>();
  const { provider, ...state } = useHost(host);
  if (provider) return <Host key={provider.root.uuid} provider={provider} {...state} />;
  return (
    <div className="view">
      <h1>{host}</h1>
      {state.error ? (
        <ErrorState error={state.error} />
      ) : provider === undefined ? (
        <LoadingState />
      ) : (
        <EmptyState title="There is no provider of this name.">
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
  const [name, setName] = useAddressState('provider', provider.name);
  const tree = useMemo(() => [root, ...root.descendants], [root]);
  const all = [...tree, ...root.sharingProviders];
  const chosen = all.find((one) => one.name === name) ?? root;
  return (
    <div className="view host">
      <div className="view-head">
        <h1>{root.name}</h1>
        <span className="muted">
          {formatCount(tree.length, 'provider')}
          {root.sharingProviders.length > 0 && `, ${root.sharingProviders.length} sharing`}
        </span>
        <Link href={`/?search=${encodeURIComponent(root.name)}`}>On the map</Link>
        <span className="end">
          <LiveMark status={status} />
        </span>
      </div>
      <div className="panel host-totals" role="group" aria-label="The whole tree">
        {root.treeTotals.map(({ resourceClass, used, capacity }) => (
          <Bar key={resourceClass.name} label={resourceClass.name} used={used} capacity={capacity} isShort />
        ))}
      </div>
      <div className="host-tree">
        <section className="panel" aria-labelledby="tree">
          <h2 id="tree">Tree</h2>
          <TreeDrawing
            label="Provider tree"
            tree={tree}
            sharing={root.sharingProviders}
            chosen={chosen.uuid}
            onChoose={(one) => setName(one.name)}
          />
        </section>
        <ProviderPanel provider={chosen} />
      </div>
      <ConsumerTable consumers={root.treeConsumers} />
      <div className="host-foot">
        <DrainPanel uuid={root.uuid} host={root.name} />
        <ChangeList changes={changes} updatedAt={latestOf(tree)} />
      </div>
    </div>
  );
}

function latestOf(tree: readonly HostProviderFragment[]): string | null {
  const times = tree.flatMap(({ updatedAt }) => updatedAt ?? []).sort();
  return times.at(-1) ?? null;
}
