import { formatTime } from '../../../components/format';
import type { ConsumerChangesSubscription } from '../../../generated/consumers/operations';

/** A change as the page received it. */
export interface HeardChange {
  readonly change: ConsumerChangesSubscription['consumerChanged'];
  /** The time when the page received the change, in the format of the API. */
  readonly at: string;
}

/** The changes of a consumer since the view was opened, the latest first. */
export function History({ changes }: { readonly changes: readonly HeardChange[] }) {
  return (
    <section className="panel" aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      <ol className="consumer-changes" aria-live="polite">
        {changes.map(({ change: { cursor, deleted, generation }, at }) => (
          <li key={cursor}>
            <time dateTime={at}>{formatTime(at)}</time> {deleted ? 'released' : `generation ${generation}`}
          </li>
        ))}
      </ol>
      {changes.length === 0 && <p className="muted">None since this page was opened.</p>}
    </section>
  );
}
