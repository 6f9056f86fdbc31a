import { Link } from 'wouter';
import { useViewer } from '../../../api/viewer';
import { DataTable, type Column } from '../../../components/dataTable';
import { Destination } from '../../../components/destination';
import { formatCount } from '../../../components/format';
import { lostTraitsColumn } from '../../../components/lostTraits';
import { MoveButton, moveTo } from '../../../components/moveButton';
import type { PlannedWorkload } from './usePlannedWorkload';

type Move = PlannedWorkload['plans']['plans'][number]['moves'][number];

interface RoomMovesProps {
  readonly moves: readonly Move[];
  readonly onMoved: () => void;
}

/** The moves of other consumers after which a workload fits. They can be carried out; the workload is then planned again. */
export function RoomMoves({ moves, onMoved }: RoomMovesProps) {
  const { may } = useViewer();
  return (
    <section aria-labelledby="room">
      <div className="panel-head">
        <h3 id="room">It fits after {formatCount(moves.length, 'move')} of other consumers</h3>
        {may('allocate') && (
          <MoveButton
            steps={moves.map(({ consumer, generation, claimToken }) => [
              moveTo(consumer, generation, claimToken),
            ])}
            moves={moves}
            label={`Carry out ${formatCount(moves.length, 'move')}`}
            onMoved={onMoved}
          >
            <p>
              The moves run one after the other, and stop if anything has changed since the plan. The workload
              is then planned again, and can be claimed.
            </p>
          </MoveButton>
        )}
      </div>
      <DataTable
        caption="Moves that make room, in their order"
        columns={[...COLUMNS, ...lostTraitsColumn(moves)]}
        rows={moves}
        keyOf={({ consumer, generation }) => `${consumer.uuid} ${generation}`}
      />
    </section>
  );
}

const COLUMNS: readonly Column<Move>[] = [
  {
    key: 'consumer',
    title: 'Consumer',
    cell: ({ consumer: { uuid } }) => (
      <Link href={`/consumers/${uuid}`}>
        <code>{uuid}</code>
      </Link>
    ),
  },
  { key: 'from', title: 'From', isLong: true, cell: ({ from }) => <Destination allocations={from} /> },
  { key: 'to', title: 'Destination', isLong: true, cell: ({ to }) => <Destination allocations={to} /> },
];
