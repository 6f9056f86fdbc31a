import { useSession } from './session';
import { useViewer } from './viewer';

/** Shows the user of the page and the rights of the role. A button ends the session. */
export function SessionMenu() {
  const { hasToken, leave } = useSession();
  const { subject, roles, projectId, may } = useViewer();
  const scope = may('hosts') ? 'the whole cloud' : projectId === null ? 'nothing' : `project ${projectId}`;
  return (
    <>
      <span className="viewer muted" title={`Roles: ${roles.join(', ').toLowerCase() || 'none'}`}>
        <b>{subject}</b> may {may('allocate') ? 'change' : 'read'} {scope}
      </span>
      {hasToken && (
        <button type="button" className="quiet" onClick={leave}>
          Sign out
        </button>
      )}
    </>
  );
}
