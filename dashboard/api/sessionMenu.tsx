import { useSession } from './session';

/** Lets whoever has signed in leave; nothing where no token is in use. */
export function SessionMenu() {
  const { hasToken, leave } = useSession();
  if (!hasToken) return null;
  return (
    <button type="button" className="quiet" onClick={leave}>
      Sign out
    </button>
  );
}
