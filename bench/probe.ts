import { randomUUID } from 'node:crypto';
import { openDatabase } from '../src/store/database/database.js';
import { planRequest } from '../src/search/plan.js';
import { Search } from '../src/search/search.js';
import { deleteConsumer, setAllocations } from '../src/store/ledger/allocation/claimQueue.js';
import type { FleetSnapshot } from '../src/fleet/fleetSnapshot.js';
import { LiveSnapshot } from '../src/store/live/liveSnapshot.js';
import { CHECKSUM_KINDS, nextSlice, providersUnlike } from '../src/store/external/checksums.js';
import { createProcess } from '../src/server/process.js';
import { interleaved, timed } from './measure.js';
import type { Comparisons, ProbeRequest, ProbeResult, Refreshes, SearchRequest } from './probeProcess.js';
import { residentMiB } from './resident.js';

/** This program measures the snapshot and the search in a process that does nothing else. */
const { databaseUrl, searches = [], changes, comparisons = 0 } = JSON.parse(process.argv[2]) as ProbeRequest;
const database = openDatabase(databaseUrl);
const live = new LiveSnapshot(database);
await database.pool.query('DO 0');
const loadMs = await timed(() => live.current())();
const resident = await residentMiB(process.pid);
const snapshot = await live.current();
const result: ProbeResult = {
  loadMs,
  resident,
  searches: searches.map((each) => search(snapshot, each)),
  refresh: changes === undefined ? null : await refreshes(changes),
  comparison: await compare(comparisons),
};
await database.close();
process.stdout.write(JSON.stringify(result));

function search(
  fleet: FleetSnapshot,
  { request, limit, rounds }: SearchRequest,
): ProbeResult['searches'][number] {
  const times: number[] = [];
  let found = 0;
  for (let seed = 0; seed < rounds; seed++) {
    const began = performance.now();
    const plan = planRequest(fleet, request);
    if (plan !== null) {
      const one = new Search(fleet, plan, { limit: limit ?? 100_000, seed });
      one.run();
      found = one.candidates.length;
    }
    times.push(performance.now() - began);
  }
  return { found, times };
}

/** Another writer claims and releases. This process reads the changes from the feed. */
async function refreshes({ providers, rounds }: NonNullable<ProbeRequest['changes']>): Promise<Refreshes> {
  const writer = createProcess(openDatabase(databaseUrl, { connections: 1 }));
  const current = timed(() => live.current());
  let turn = 0;
  let consumer: string | null = null;
  const change = async (): Promise<void> => {
    if (consumer === null) {
      consumer = randomUUID();
      const resources = [{ resourceClass: 'VCPU', amount: 1 }];
      const allocations = [{ resourceProvider: providers[turn++ % providers.length], resources }];
      const owner = { projectId: 'project-01', userId: 'user-01' };
      await setAllocations(writer.claims, { consumers: [{ consumer, ...owner, allocations }] });
    } else {
      await deleteConsumer(writer.claims, { consumer });
      consumer = null;
    }
  };
  const read = timed(() =>
    database.pool.query('SELECT uuid, name FROM resource_providers WHERE id = ?', [1]),
  );
  const afterChange = async (): Promise<number> => {
    await change();
    return current();
  };
  const [changed, unchanged, reads] = await interleaved([afterChange, current, read], rounds);
  if (consumer !== null) await change();
  writer.stop();
  await writer.database.close();
  return { changed: changed.times, unchanged: unchanged.times, read: reads.times };
}

/** Omits the first comparison: the fleet's own checksums exist only from the second one on. */
async function compare(rounds: number): Promise<Comparisons> {
  const pass = timed(async () => {
    for (let after = 0, isEnd = false; !isEnd;) {
      const slice = await nextSlice(database.background, after);
      for (const kind of CHECKSUM_KINDS)
        await providersUnlike(database.background, kind, slice, () => live.current());
      ({ last: after, isEnd } = slice);
    }
  });
  if (rounds > 0) await pass();
  const times: number[] = [];
  const ownProcessor: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    times.push(await pass());
    const { user, system } = process.cpuUsage(before);
    ownProcessor.push((user + system) / 1_000);
  }
  return { times, ownProcessor };
}
