const KEY = 'placement-reloaded-at';

/** A second failure within this time (ms) does not reload the page again. */
const PAUSE_MS = 60_000;

/** Reloads the page if a part of it is missing: after an upgrade the server has parts with other names. */
export function reloadStaleVersion(): void {
  addEventListener('vite:preloadError', () => {
    const before = Number(sessionStorage.getItem(KEY));
    if (Date.now() - before < PAUSE_MS) return;
    sessionStorage.setItem(KEY, String(Date.now()));
    location.reload();
  });
}
