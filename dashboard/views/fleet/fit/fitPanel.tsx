import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { formatAmount } from '../../../components/format';
import { ZoneNamesDocument } from '../../../generated/fleet/operations';
import { describeWhatIf, whatIfInput } from '../../drain/whatIf';
import type { Selection } from '../selection/selection';
import { FlavorEditor } from './flavorEditor';
import { placeHref, readFlavors, writeFlavor, type Flavor } from './flavors';
import { countKey, UP_TO, useHeadroom, type Count, type Zone } from './useHeadroom';

interface FitPanelProps {
  /** The flavors in the format of the address. */
  readonly flavors: string;
  readonly onFlavors: (flavors: string) => void;
  /** The fleet of the counts. */
  readonly selection: Pick<Selection, 'fleet' | 'setFleet'>;
}

/** Shows how many more consumers of each flavor could be claimed one after another in each zone. */
export function FitPanel({ flavors, onFlavors, selection: { fleet, setFleet } }: FitPanelProps) {
  const zones = useZones();
  const [round, setRound] = useState(0);
  const whatIf = whatIfInput(fleet);
  const now = useHeadroom(flavors, zones, round, undefined);
  const imagined = useHeadroom(whatIf ? flavors : '', zones, round, whatIf);
  const read = useMemo(() => readFlavors(flavors), [flavors]);
  return (
    <section className="panel fit-panel" aria-labelledby="fit">
      <div className="panel-head">
        <h2 id="fit">How many more fit</h2>
        <button type="button" className="small" onClick={() => setRound(round + 1)}>
          Count again
        </button>
      </div>
      {whatIf && (
        <p className="what-if" role="status">
          What if: {describeWhatIf(fleet)}. Each cell shows the count now and then.{' '}
          <button type="button" className="small" onClick={() => setFleet({ without: [], copies: [] })}>
            Current fleet only
          </button>
        </p>
      )}
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
              <FitRow key={zone.name} zone={zone} flavors={read} counts={now} imagined={whatIf && imagined} />
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
  /** The counts of another fleet, if there is one. */
  readonly imagined: ReadonlyMap<string, Count> | undefined;
}

function FitRow({ zone, flavors, counts, imagined }: FitRowProps) {
  return (
    <tr>
      <th scope="row">{zone.name}</th>
      {flavors.map((flavor) => {
        const key = countKey(flavor, zone);
        const count = counts.get(key);
        return (
          <td key={key} className={count === undefined ? 'number muted' : 'number'}>
            <FitCount count={count} />
            {imagined && (
              <>
                {' → '}
                <FitCount count={imagined.get(key)} />
              </>
            )}
          </td>
        );
      })}
    </tr>
  );
}

function FitCount({ count }: { readonly count: Count | undefined }) {
  if (count === undefined) return '…';
  if ('code' in count)
    return (
      <span className="failed" title={count.message}>
        {count.code}
      </span>
    );
  const { count: fitting, reachedUpTo, exact } = count;
  return (
    <span className={fitting === 0 ? 'none' : undefined} title={exact ? undefined : 'At least so many.'}>
      {reachedUpTo || !exact ? '≥ ' : ''}
      {formatAmount(Math.min(fitting, UP_TO))}
    </span>
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
