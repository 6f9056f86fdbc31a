import { Link } from 'wouter';
import { useViewer } from '../../api/viewer';
import { CopyText } from '../../components/copyText';

/** The next steps in a database without hosts. */
export function EmptyFleet() {
  const { may } = useViewer();
  return (
    <div className="empty-fleet">
      <h2>The database has no hosts</h2>
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
