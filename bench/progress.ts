/** Says how far the run is; the result alone goes to standard output. */
export function logProgress(line: string): void {
  console.error(line);
}
