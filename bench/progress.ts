/** Prints to standard error: standard output has the result alone. */
export function logProgress(line: string): void {
  console.error(line);
}
