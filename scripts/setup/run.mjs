import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Runs a program in the checkout and collects its output.
 * @returns {Promise<{ code: number, output: string }>} code 127 when there is no such program
 */
export function run(command, options, environment = process.env) {
  return new Promise((resolve) => {
    const chunks = [];
    const child = spawn(command, options, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}

/** Like run. Rejects with the end of the output if the program fails. */
export async function mustRun(command, options, environment) {
  const { code, output } = await run(command, options, environment);
  if (code === 0) return output;
  const end = output.trim().split('\n').slice(-25).join('\n');
  throw new Error(`${[command, ...options].join(' ')} failed (code ${code}):\n${end}`);
}

/** Runs work with a temporary folder, and removes the folder afterwards. */
export async function withFolder(prefix, work) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the command and options to run npm: the npm that runs this script, if any. */
export function npm(...options) {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') ? [process.execPath, [script, ...options]] : ['npm', options];
}

/** The absolute path of the first of these programs that is on PATH or in one of the given folders, or null. */
export function findProgram(names, folders = []) {
  const everywhere = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...folders];
  const paths = names.flatMap((name) => everywhere.map((folder) => join(folder, name)));
  return paths.find(isExecutable) ?? null;
}

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
