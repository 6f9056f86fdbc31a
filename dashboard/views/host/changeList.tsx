import { formatTime } from '../../components/format';
import type { HostChangesSubscription } from '../../generated/host/operations';

/** A change as the page received it. */
export interface HeardChange {
  readonly change: HostChangesSubscription['resourceProviderChanged'];
  /** The time when the page received the change, in the format of the API. */
  readonly at: string;
}

interface ChangeListProps {
  /** The changes since the view was opened, the latest first. */
  readonly changes: readonly HeardChange[];
  /** The time of the last change of the tree. Shown only while `changes` is empty. */
  readonly updatedAt: string | null;
}

/** The changes of the tree since the view was opened. */
export function ChangeList({ changes, updatedAt }: ChangeListProps) {
  return (
    <section className="panel" aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      <ol className="changes" aria-live="polite">
        {changes.map(({ change: { cursor, uuid, kinds, resourceProvider }, at }) => (
          <li key={`${cursor} ${uuid}`}>
            <time dateTime={at}>{formatTime(at)}</time> {resourceProvider?.name ?? uuid}{' '}
            <span className="muted">{kinds.map((kind) => kind.toLowerCase()).join(', ')}</span>
          </li>
        ))}
      </ol>
      {changes.length === 0 && (
        <p className="muted">
          None since this page was opened.
          {updatedAt !== null && ` The last one before: ${formatTime(updatedAt)}.`}
        </p>
      )}
    </section>
  );
}
