/**
 * Goes on where what is told reaches nobody. Without this a failed write ends the program as an unexpected error, and where that is
 * told, too, the next failed write keeps it from ending. A reader that has gone away (`| head`) is no failure; a full disk is.
 */
export function surviveLostOutput(): void {
  let isTold = false;
  const lost = ({ code, message }: NodeJS.ErrnoException): void => {
    if (code === 'EPIPE' || isTold) return;
    isTold = true;
    process.exitCode = 1;
    console.error(`the output cannot be written: ${message}`);
  };
  for (const stream of [process.stdout, process.stderr]) stream.on('error', lost);
}
