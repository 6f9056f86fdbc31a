import { useQuery } from 'urql';
import { Link } from 'wouter';
import { useViewer } from '../../api/viewer';
import { CopyText } from '../../components/copyText';
import { EmptyState } from '../../components/states';
import { AnyHostDocument } from '../../generated/fleet/operations';

/** The next steps in a database without hosts, or a message that no host has inventories. */
export function EmptyFleet() {
  const { may } = useViewer();
  const [{ data }] = useQuery({ query: AnyHostDocument, requestPolicy: 'network-only' });
  if (data?.resourceProviders?.nodes.length) return <EmptyState title="No host has inventories." />;
  return (
    <div className="empty-fleet">
      <h2>The database has no hosts</h2>
      <p>Add this machine, or the hosts of Kubernetes, Slurm, libvirt, Nova or a table:</p>
      <CopyText
        label="Command to add this machine"
        text="placement-graphql fleet from hwloc --discover | placement-graphql fleet apply -f -"
      />
      {may('edit') && (
        <p>
          <Link href="/new-host">Add a host</Link> here.
        </p>
      )}
      <p>Restart the server with demo data:</p>
      <CopyText label="Command for demo data" text="placement-graphql serve --demo" />
      <p>Adopt the database of OpenStack Placement:</p>
      <CopyText label="Command to adopt a database" text="placement-graphql adopt" />
    </div>
  );
}
