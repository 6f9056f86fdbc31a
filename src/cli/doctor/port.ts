import { once } from 'node:events';
import { createServer } from 'node:net';
import { ok, problem, type Finding } from '../../database/diagnosis/finding.js';
import { lockHolder } from '../lock.js';
import type { Settings } from '../settings/definitions.js';

const CHECK = 'port';

/** Whether the server can listen, or who does there already. */
export async function checkPort(settings: Settings): Promise<Finding[]> {
  const port = settings['http.port'];
  if (port === 0) return [ok(CHECK, 'any free one')];
  const code = await listening(port, hostOf(settings));
  if (code === null) return [ok(CHECK, `${port} is free`)];
  if (code === 'EACCES')
    return [
      problem(CHECK, `${port} may not be listened at by this user`, {
        change: 'choose one above 1023 with http.port, or give the program CAP_NET_BIND_SERVICE',
      }),
    ];
  if (code !== 'EADDRINUSE') return [problem(CHECK, `${port} cannot be listened at: ${code}`)];
  const holder =
    settings['database.url'] === null ? await lockHolder(settings['database.dataDirectory']) : null;
  if (holder?.includes(`:${port}/`)) return [ok(CHECK, `${port} is served by ${holder}`)];
  if (await answersAsOurs(port)) return [ok(CHECK, `${port} is served by a placement-graphql`)];
  return [
    problem(CHECK, `${port} is in use by another program`, {
      change: `choose another with http.port, or see who it is: ss -ltnp 'sport = :${port}'`,
    }),
  ];
}

/** This version may have no such setting. */
function hostOf(settings: Readonly<Record<string, unknown>>): string {
  const host = settings['http.host'];
  return typeof host === 'string' ? host : '127.0.0.1';
}

async function listening(port: number, host: string): Promise<string | null> {
  const socket = createServer().listen(port, host);
  try {
    await once(socket, 'listening');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
  socket.close();
  await once(socket, 'close');
  return null;
}

/** By what its health says. */
async function answersAsOurs(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(3_000) });
    return 'fullLoads' in ((await answer.json()) as object);
  } catch {
    return false;
  }
}
