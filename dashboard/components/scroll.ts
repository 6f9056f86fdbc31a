import { useEffect } from 'react';

/** The time that a view may take to reach its former height (ms). */
const PATIENCE_MS = 3_000;

/** Scrolls a new page to its top, and a page of the history to its former position. */
export function useScrollPositions(): void {
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const abort = new AbortController();
    const options = { signal: abort.signal, passive: true };
    const positions = new Map<string, number>();
    let shown = location.pathname;
    let isRestoring = false;
    const keep = (): void => {
      if (!isRestoring) positions.set(location.href, scrollY);
    };
    const restore = (top: number, until: number): void => {
      scrollTo(0, top);
      isRestoring = Math.abs(scrollY - top) > 1 && performance.now() < until;
      if (isRestoring) requestAnimationFrame(() => isRestoring && restore(top, until));
    };
    const begin = (): void => {
      if (location.pathname !== shown) scrollTo(0, 0);
      shown = location.pathname;
    };
    const goBack = (): void => {
      if (location.hash !== '') return;
      shown = location.pathname;
      restore(positions.get(location.href) ?? 0, performance.now() + PATIENCE_MS);
    };
    const stop = (): void => {
      isRestoring = false;
    };
    addEventListener('scroll', keep, options);
    addEventListener('pushState', begin, options);
    addEventListener('replaceState', keep, options);
    addEventListener('popstate', goBack, options);
    for (const input of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
      addEventListener(input, stop, options);
    return () => abort.abort();
  }, []);
}
