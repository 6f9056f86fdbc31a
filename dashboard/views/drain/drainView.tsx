import { useMemo } from 'react';
import { useQuery } from 'urql';
import { useViewer } from '../../api/viewer';
import { replaceAddress, useAddress } from '../../components/addressState';
import { CompletionInput } from '../../components/completionInput';
import { formatCount } from '../../components/format';
import { MAINTENANCE } from '../../components/maintenance';
import { ProviderTermList } from '../../components/providerTermList';
import { referenceTo } from '../../components/terms';
import { useCatalog } from '../../components/useCatalog';
import { ViewHead } from '../../components/viewHead';
import { DrainedHostsDocument, type TreesInput } from '../../generated/drain/operations';
import { DrainPanel } from './drainPanel';
import { MaintenanceButtons } from './maintenanceButtons';
import { describeWhatIf, readWhatIf, whatIfInput, writeWhatIf } from './whatIf';

/** Drains several hosts, or all hosts of an aggregate. */
export default function DrainView() {
  const [address, change] = useAddress();
  const { may } = useViewer();
  const { aggregates } = useCatalog();
  const aggregate = address.get('aggregate') ?? '';
  const named = address.getAll('host');
  const fleet = useMemo(() => readWhatIf(address), [address]);
  const from = useMemo(() => fromOf(address), [address]);
  const [hosts, readHosts] = useHosts(aggregate, named);
  const setHosts = (names: readonly string[]): void => {
    const after = new URLSearchParams(address);
    for (const name of ['host', 'aggregate', 'plan']) after.delete(name);
    for (const name of names) after.append('host', name);
    replaceAddress(after);
  };
  const assumption = describeWhatIf(fleet);
  return (
    <div className="view drain">
      <ViewHead title="Drain hosts" />
      <section className="panel drain-form" aria-label="The hosts">
        <CompletionInput
          label="All hosts of an aggregate"
          placeholder="zone-01"
          value={aggregate}
          options={aggregates}
          onChange={(value) => change({ aggregate: value || null, host: null, plan: null })}
        />
        <ProviderTermList
          label="Hosts"
          placeholder="host-00001"
          terms={named}
          hint="The name or UUID of a host."
          onTerms={setHosts}
        />
        {may('edit') && <MaintenanceButtons {...hosts} onChanged={readHosts} />}
        <p className="muted" role="status">
          {formatCount(hosts.open.length + hosts.disabled.length, 'host')}, {hosts.disabled.length} in
          maintenance.
        </p>
        {assumption !== '' && (
          <p>
            What if: {assumption}.{' '}
            <button
              type="button"
              className="small"
              onClick={() => replaceAddress(writeWhatIf(address, { without: [], copies: [] }))}
            >
              Plan for the current fleet
            </button>
          </p>
        )}
      </section>
      <DrainPanel from={from} open={hosts.open} whatIf={whatIfInput(fleet)} />
    </div>
  );
}

function fromOf(address: URLSearchParams): TreesInput | null {
  const aggregate = address.get('aggregate');
  if (aggregate) return { aggregate: referenceTo(aggregate) };
  const hosts = address.getAll('host');
  return hosts.length > 0 ? { providers: hosts.map(referenceTo) } : null;
}

/** Returns the names of the chosen hosts by whether they are in maintenance, and a function that reads that again. */
function useHosts(aggregate: string, named: readonly string[]) {
  const [{ data }, read] = useQuery({
    query: DrainedHostsDocument,
    variables: useMemo(
      () => ({
        disabled: [[MAINTENANCE]],
        byAggregate: aggregate !== '',
        aggregates: aggregate === '' ? [] : [[referenceTo(aggregate)]],
      }),
      [aggregate],
    ),
    requestPolicy: 'cache-and-network',
  });
  const names = aggregate === '' ? named : (data?.members?.nodes.map(({ name }) => name) ?? []);
  const inMaintenance = new Set(data?.disabled?.nodes.map(({ name }) => name));
  const hosts = {
    open: names.filter((name) => !inMaintenance.has(name)),
    disabled: names.filter((name) => inMaintenance.has(name)),
  };
  return [hosts, () => read({ requestPolicy: 'network-only' })] as const;
}
