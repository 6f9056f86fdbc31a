import { Link } from 'wouter';
import { Countdown } from '../../../components/countdown';
import { formatTime } from '../../../components/format';
import { ProjectLink } from '../../../components/projectLink';
import type { Consumer } from './consumer';

/** The owner of a consumer and the times of its changes. */
export function ConsumerFacts({ consumer }: { readonly consumer: Consumer }) {
  const { type, projectId, userId, generation, expiresAt, createdAt, updatedAt } = consumer;
  const { workload, request } = consumer;
  return (
    <dl className="panel consumer-facts">
      <div>
        <dt>Type</dt>
        <dd>{type?.name ?? 'none'}</dd>
      </div>
      <div>
        <dt>Project</dt>
        <dd>
          <ProjectLink id={projectId} />
        </dd>
      </div>
      <div>
        <dt>User</dt>
        <dd>
          {userId === null ? (
            '-'
          ) : (
            <Link href={`/consumers?user=${encodeURIComponent(userId)}`}>{userId}</Link>
          )}
        </dd>
      </div>
      <div>
        <dt>Generation</dt>
        <dd>{generation}</dd>
      </div>
      {expiresAt !== null && (
        <div>
          <dt>Ends</dt>
          <dd>
            <Countdown to={expiresAt} />
          </dd>
        </div>
      )}
      <div>
        <dt>Created</dt>
        <dd>{formatTime(createdAt)}</dd>
      </div>
      <div>
        <dt>Changed</dt>
        <dd>{formatTime(updatedAt)}</dd>
      </div>
      {workload && (
        <div>
          <dt>Workload</dt>
          <dd>{workload.name}</dd>
        </div>
      )}
      {request && (
        <div>
          <dt>{request.isOutdated ? 'Asked for (other amounts than now)' : 'Asked for'}</dt>
          <dd>
            <code>{JSON.stringify(request.input)}</code>
          </dd>
        </div>
      )}
    </dl>
  );
}
