import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '../support/environment.js';

export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs the compiled program against a server to its end; its standard input is empty, or `input`. */
export function runClient(
  url: string,
  options: readonly string[],
  { environment = {}, input = '' }: { environment?: Record<string, string>; input?: string } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...programEnvironment(), PLACEMENT_URL: url, ...environment };
    const child = execFile(process.execPath, [MAIN, ...options], { env }, (failure, out, error) =>
      resolve({ code: Number(failure?.code ?? 0), out, error }),
    );
    child.stdin!.end(input);
  });
}
