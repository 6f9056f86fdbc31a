import { Link } from 'wouter';
import { formatAmounts } from './format';
import { hostPath } from './hostPath';

interface Part {
  readonly resourceProvider: {
    readonly name: string;
    readonly isSharing: boolean;
    readonly root: { readonly name: string };
  };
  readonly resources: Parameters<typeof formatAmounts>[0];
}

/** Shows the destination of a candidate: its host, then the host's parts and sharing providers. */
export function Destination({ allocations }: { readonly allocations: readonly Part[] }) {
  const isShared = ({ resourceProvider }: Part): boolean => resourceProvider.isSharing;
  const own = allocations.filter((part) => !isShared(part));
  const hosts = new Set((own.length > 0 ? own : allocations).map((part) => part.resourceProvider.root.name));
  return (
    <div className="destination">
      {Array.from(hosts, (host) => (
        <b key={host}>
          <HostLink name={host} />
        </b>
      ))}
      <ul>
        {[...own, ...allocations.filter(isShared)].map(({ resourceProvider: { name }, resources }) => (
          <li key={name}>
            {formatAmounts(resources)} of <HostLink name={name} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Links to a host, or to any provider of its tree. */
export function HostLink({ name }: { readonly name: string }) {
  return <Link href={hostPath(name)}>{name}</Link>;
}
