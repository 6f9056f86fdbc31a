import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseTokens, tokensAsText, type StoredToken } from './tokenFile.js';

const LOCK_TIMEOUT_MS = 5_000;

const FOR_OWNER_ALONE = 0o600;

/**
 * Replaces the tokens of a file atomically. Creates the file if it is missing. Other commands wait.
 * @throws Error if the file is invalid or `change` throws; the file is then unchanged
 */
export async function changeTokens(
  file: string,
  change: (tokens: readonly StoredToken[]) => readonly StoredToken[],
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const real = await realpath(file).catch(unlessMissing(file));
  await locked(real, async () => {
    const tokens = await readTokens(real);
    await replace(real, tokensAsText(change(tokens)));
  });
}

/** Returns the tokens of a file, or none if it is missing. */
export async function readTokens(file: string): Promise<StoredToken[]> {
  const text = await readFile(file, 'utf8').catch(unlessMissing(null));
  if (text === null) return [];
  try {
    return parseTokens(text);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** Runs work under a lock file. The lock of a killed command remains: the user must remove it. */
async function locked(file: string, work: () => Promise<void>): Promise<void> {
  const lock = `${file}.lock`;
  for (const deadline = Date.now() + LOCK_TIMEOUT_MS; ; await sleep(20)) {
    try {
      await (await open(lock, 'wx', FOR_OWNER_ALONE)).close();
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (Date.now() < deadline) continue;
      throw new Error(`another command is changing ${file}; if there is none, remove ${lock}`, {
        cause: error,
      });
    }
  }
  try {
    await work();
  } finally {
    await rm(lock);
  }
}

async function replace(file: string, text: string): Promise<void> {
  const replacement = `${file}.new`;
  await rm(replacement, { force: true });
  const handle = await open(replacement, 'wx', FOR_OWNER_ALONE);
  try {
    await handle.writeFile(text);
    if (process.getuid?.() === 0) {
      const { uid, gid } = await ownerOf(file);
      await handle.chown(uid, gid);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(replacement, file);
  await sync(dirname(file));
}

/** Returns the owner of a file or its folder. Root keeps it, so that the server's user can read. */
async function ownerOf(file: string): Promise<{ uid: number; gid: number }> {
  return (await stat(file).catch(unlessMissing(null))) ?? (await stat(dirname(file)));
}

/** Makes renames in a folder durable. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}

function unlessMissing<T>(otherwise: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw error;
  };
}
