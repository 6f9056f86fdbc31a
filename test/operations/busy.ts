/** Keeps the process busy. */
export function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}
