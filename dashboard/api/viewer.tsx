import { createContext, use, useEffect, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { ErrorState, LoadingState } from '../components/states';
import { ViewerDocument, type ViewerQuery } from '../generated/common/operations';
import { isTransient } from './client';

type Answer = NonNullable<ViewerQuery['viewer']>;

/** A part of the API that a role may or may not allow. */
export type Right = 'hosts' | 'candidates' | 'rebalance' | 'audit' | 'allocate' | 'edit';

interface Viewer extends Pick<Answer, 'subject' | 'roles' | 'projectId'> {
  readonly may: (right: Right) => boolean;
}

const ViewerContext = createContext<Viewer | null>(null);

/** Returns the user of the page. */
export const useViewer = (): Viewer => use(ViewerContext)!;

/** The pause before the viewer is read again (ms). */
const RETRY_MS = 2_000;

/** Shows the views as soon as the viewer is known. */
export function WithViewer({ children }: { readonly children: ReactNode }) {
  const [{ data, error, fetching }, read] = useQuery({ query: ViewerDocument });
  const isDown = error !== undefined && isTransient(error);
  useEffect(() => {
    if (!isDown || fetching) return;
    const timer = setTimeout(() => read({ requestPolicy: 'network-only' }), RETRY_MS);
    return () => clearTimeout(timer);
  }, [isDown, fetching, read]);
  if (data?.viewer) {
    const { viewer } = data;
    const may = (right: Right): boolean => viewer[right] === 'YES';
    return <ViewerContext value={{ ...viewer, may }}>{children}</ViewerContext>;
  }
  return error ? <ErrorState error={error} /> : <LoadingState />;
}
