import { formatTime } from '../../components/format';
import type { HostChangesSubscription } from '../../generated/host/operations';

/** A change as it was heard of. */
export interface HeardChange {
  readonly change: HostChangesSubscription['resourceProviderChanged'];
  /** When, as the API writes times. */
  readonly at: string;
}

interface ChangeListProps {
  /** The latest first. */
  readonly changes: readonly HeardChange[];
  /** When any provider of the tree was last changed, before the view was opened. */
  readonly updatedAt: string | null;
}

/** What has changed in the tree since the view was opened. */
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
