import { Link } from 'wouter';
import { formatTime } from '../../../components/format';
import type { Consumer } from './consumer';

/** Whose a consumer is, and since when. */
export function ConsumerFacts({ consumer }: { readonly consumer: Consumer }) {
  const { consumerType, projectId, userId, generation, createdAt, updatedAt } = consumer;
  return (
    <dl className="panel consumer-facts">
      <div>
        <dt>Type</dt>
        <dd>{consumerType ?? 'unknown'}</dd>
      </div>
      <div>
        <dt>Project</dt>
        <dd>
          <Link href={`/projects/${encodeURIComponent(projectId)}`}>{projectId}</Link>
        </dd>
      </div>
      <div>
        <dt>User</dt>
        <dd>
          <Link href={`/consumers?user=${encodeURIComponent(userId)}`}>{userId}</Link>
        </dd>
      </div>
      <div>
        <dt>Generation</dt>
        <dd>{generation}</dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd>{formatTime(createdAt)}</dd>
      </div>
      <div>
        <dt>Changed</dt>
        <dd>{formatTime(updatedAt)}</dd>
      </div>
    </dl>
  );
}
