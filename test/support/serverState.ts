import { setTimeout as sleep } from 'node:timers/promises';

const TIMERS = 'nodejs_active_resources{type="Timeout"}';

/** The gauges of the resources that a server holds for its clients, and of its timers. */
const HELD =
  /^(placement_graphql_(?:operations_cost|queue_length|event_streams|event_stream_bytes)\S*|nodejs_active_resources\{type="Timeout"\}) (\S+)$/gm;

/** The connector has a timer for each pool with idle connections, for up to 15 seconds. */
const POOLS = 6;

/** The time within which a server must release the resources of an attack (ms). */
const TIMEOUT_MS = 10_000;

type State = ReadonlyMap<string, number>;
type Headers = Readonly<Record<string, string>>;

/** Reads the admission capacity in use, the queues, the event streams and the timers of a server from its metrics. */
export async function serverState(url: string, headers: Headers = {}): Promise<State> {
  const response = await fetch(new URL('/metrics', url), { headers: { connection: 'close', ...headers } });
  const text = await response.text();
  const state = new Map([...text.matchAll(HELD)].map(([, name, value]) => [name, Number(value)] as const));
  if (state.size < 4) throw new Error(`the server has no such metrics: ${text.slice(0, 1_000)}`);
  return state;
}

/** Waits until no value exceeds its previous value. Returns those that do after ten seconds. */
export async function heldBeyond(before: State, url: string, headers?: Headers): Promise<string[]> {
  for (const end = Date.now() + TIMEOUT_MS; ; await sleep(50)) {
    const state = await serverState(url, headers);
    const beyond = [...state].filter(
      ([name, value]) => value > (before.get(name) ?? 0) + (name === TIMERS ? POOLS : 0),
    );
    if (beyond.length === 0 || Date.now() > end)
      return beyond.map(([name, value]) => `${name}: ${before.get(name) ?? 0} before, ${value} after`);
  }
}
