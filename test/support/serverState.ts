import { setTimeout as sleep } from 'node:timers/promises';

/** The gauges of what a server holds for its clients. */
const HELD = /^(placement_graphql_(?:operations_cost|queue_length|event_streams)\S*) (\S+)$/gm;

type State = ReadonlyMap<string, number>;

/** Reads the admission capacity in use, the queues and the event streams of a server from its metrics. */
export async function serverState(url: string): Promise<State> {
  const text = await (await fetch(new URL('/metrics', url), { headers: { connection: 'close' } })).text();
  const state = new Map([...text.matchAll(HELD)].map(([, name, value]) => [name, Number(value)] as const));
  if (state.size < 4) throw new Error(`the server has no such metrics: ${text.slice(0, 1_000)}`);
  return state;
}

/** Waits until nothing exceeds its previous value; returns what still does after `timeout` milliseconds. */
export async function heldBeyond(before: State, url: string, timeout = 10_000): Promise<string[]> {
  for (const end = Date.now() + timeout; ; await sleep(50)) {
    const state = await serverState(url);
    const beyond = [...state].filter(([name, value]) => value > (before.get(name) ?? 0));
    if (beyond.length === 0 || Date.now() > end)
      return beyond.map(([name, value]) => `${name}: ${before.get(name) ?? 0} before, ${value} after`);
  }
}
