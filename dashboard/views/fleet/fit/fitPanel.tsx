import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { formatAmount } from '../../../components/format';
import { ZoneNamesDocument } from '../../../generated/fleet/operations';
import { FlavorEditor } from './flavorEditor';
import { placeHref, readFlavors, writeFlavor, type Flavor } from './flavors';
import { countKey, UP_TO, useHeadroom, type Count, type Zone } from './useHeadroom';

interface FitPanelProps {
  /** The flavors in the format of the address. */
  readonly flavors: string;
  readonly onFlavors: (flavors: string) => void;
}

/** Shows how many more consumers of each flavor could be claimed one after another in each zone. */
export function FitPanel({ flavors, onFlavors }: FitPanelProps) {
  const zones = useZones();
  const [round, setRound] = useState(0);
  const counts = useHeadroom(flavors, zones, round);
  const read = useMemo(() => readFlavors(flavors), [flavors]);
  return (
    <section className="panel fit-panel" aria-labelledby="fit">
      <div className="panel-head">
        <h2 id="fit">How many more fit</h2>
        <button type="button" className="small" onClick={() => setRound(round + 1)}>
          Count again
        </button>
      </div>
      <div className="fit-table" tabIndex={0} role="region" aria-label="Counts by zone">
        <table>
          <thead>
            <tr>
              <th scope="col">Zone</th>
              {read.map((flavor) => (
                <th key={writeFlavor(flavor)} scope="col" className="number" title={writeFlavor(flavor)}>
                  <Link href={placeHref(flavor)}>
                    {flavor.name}
                    <span className="visually-hidden">: where it could go</span>
                  </Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {zones.map((zone) => (
              <FitRow key={zone.name} zone={zone} flavors={read} counts={counts} />
            ))}
          </tbody>
        </table>
      </div>
      <FlavorEditor flavors={read} onFlavors={onFlavors} />
    </section>
  );
}

interface FitRowProps {
  readonly zone: Zone;
  readonly flavors: readonly Flavor[];
  readonly counts: ReadonlyMap<string, Count>;
}

function FitRow({ zone, flavors, counts }: FitRowProps) {
  return (
    <tr>
      <th scope="row">{zone.name}</th>
      {flavors.map((flavor) => (
        <FitCell key={writeFlavor(flavor)} count={counts.get(countKey(flavor, zone))} />
      ))}
    </tr>
  );
}

function FitCell({ count }: { readonly count: Count | undefined }) {
  if (count === undefined) return <td className="number muted">…</td>;
  if ('code' in count)
    return (
      <td className="number failed" title={count.message}>
        {count.code}
      </td>
    );
  const { count: fitting, reachedUpTo, exact } = count;
  return (
    <td className={fitting === 0 ? 'number none' : 'number'} title={exact ? undefined : 'At least so many.'}>
      {reachedUpTo || !exact ? '≥ ' : ''}
      {formatAmount(Math.min(fitting, UP_TO))}
    </td>
  );
}

const FLEET: Zone = { uuid: null, name: 'all' };

/** Returns the whole fleet and each aggregate that has a name. */
function useZones(): readonly Zone[] {
  const [{ data }] = useQuery({ query: ZoneNamesDocument });
  return useMemo(() => {
    const named = data?.aggregates?.nodes.flatMap(({ uuid, name }) =>
      name === null ? [] : [{ uuid, name }],
    );
    return [
      FLEET,
      ...(named ?? []).sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true })),
    ];
  }, [data]);
}
