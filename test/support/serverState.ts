import { setTimeout as sleep } from 'node:timers/promises';

/** The gauges of what a server holds for its clients. */
const HELD = /^(placement_graphql_(?:operations_cost|queue_length|event_streams)\S*) (\S+)$/gm;

/** How long a server may take to release what an attack occupied (ms). */
const TIMEOUT_MS = 10_000;

type State = ReadonlyMap<string, number>;
type Headers = Readonly<Record<string, string>>;

/** Reads the admission capacity in use, the queues and the event streams of a server from its metrics. */
export async function serverState(url: string, headers: Headers = {}): Promise<State> {
  const response = await fetch(new URL('/metrics', url), { headers: { connection: 'close', ...headers } });
  const text = await response.text();
  const state = new Map([...text.matchAll(HELD)].map(([, name, value]) => [name, Number(value)] as const));
  if (state.size < 4) throw new Error(`the server has no such metrics: ${text.slice(0, 1_000)}`);
  return state;
}

/** Waits until nothing exceeds its previous value; returns what still does after ten seconds. */
export async function heldBeyond(before: State, url: string, headers?: Headers): Promise<string[]> {
  for (const end = Date.now() + TIMEOUT_MS; ; await sleep(50)) {
    const state = await serverState(url, headers);
    const beyond = [...state].filter(([name, value]) => value > (before.get(name) ?? 0));
    if (beyond.length === 0 || Date.now() > end)
      return beyond.map(([name, value]) => `${name}: ${before.get(name) ?? 0} before, ${value} after`);
  }
}
