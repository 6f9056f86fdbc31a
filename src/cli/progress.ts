import type { Lifecycle } from './lifecycle.js';

/** A step that takes longer than this is shown while it runs. */
const QUICK_MS = 1_000;

/** Runs a step of a command; of a slow one, the beginning and the duration are told. */
export async function step<T>(
  { say }: Pick<Lifecycle, 'say'>,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const began = Date.now();
  let isShown = false;
  const timer = setTimeout(() => {
    isShown = true;
    say(`${name} ...`);
  }, QUICK_MS);
  try {
    const result = await work();
    if (isShown) say(`${name}: done in ${((Date.now() - began) / 1000).toFixed(1)} s`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}

/** Passes on at most one line in two seconds. */
export function throttled(print: (line: string) => void): (line: string) => void {
  let last = Date.now();
  return (line) => {
    if (Date.now() - last < 2_000) return;
    last = Date.now();
    print(line);
  };
}
