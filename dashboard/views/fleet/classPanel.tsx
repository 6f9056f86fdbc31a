import { Bar } from '../../components/bar';
import { formatSize } from '../../components/format';
import type { ClassTotal } from './fleetFeed';

interface ClassPanelProps {
  readonly totals: readonly ClassTotal[] | null;
  readonly chosen: string;
  readonly onChoose: (resourceClass: string) => void;
}

/** Shows the capacity and usage of each class. The chosen class colours the map. */
export function ClassPanel({ totals, chosen, onChoose }: ClassPanelProps) {
  return (
    <section className="panel class-panel" aria-labelledby="classes">
      <h2 id="classes">Resource classes</h2>
      <div role="radiogroup" aria-labelledby="classes">
        {totals?.map(({ resourceClass: { name }, used, capacity, available }) => (
          <label key={name} className={name === chosen ? 'class-choice chosen' : 'class-choice'}>
            <input
              type="radio"
              name="class"
              className="visually-hidden"
              checked={name === chosen}
              onChange={() => onChoose(name)}
            />
            <Bar
              resourceClass={name}
              used={used}
              capacity={capacity}
              detail={`${formatSize(name, available)} free`}
            />
          </label>
        ))}
      </div>
    </section>
  );
}
