/** Prints to standard error, because standard output contains only the result. */
export function logProgress(line: string): void {
  console.error(line);
}
