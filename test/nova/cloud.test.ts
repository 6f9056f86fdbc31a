import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OLDER_READS } from '../../bench/beside/reference.js';
import { prepared } from '../support/prepared.js';
import { Cloud, HOSTS } from './cloud/cloud.js';
import { Fleet } from './cloud/fleet.js';
import { IMAGE } from './standIns.js';
import { startOurs, startReference, type PlacementServer } from './placements.js';

prepared('PREPARED_NOVA');

const SERVERS = 50;
/** What a server of the small flavor takes, and one of the large flavor. */
const SMALL = { VCPU: 1, MEMORY_MB: 512, DISK_GB: 10 };
const LARGE = { VCPU: 2, MEMORY_MB: 1024, DISK_GB: 20 };

/** More at once than the capacity that they compete for. */
const CLAIMS = 12;
const CAPACITY = 5;
const ROUNDS = 10;

const times = (count: number, amounts: typeof SMALL): typeof SMALL => ({
  VCPU: count * amounts.VCPU,
  MEMORY_MB: count * amounts.MEMORY_MB,
  DISK_GB: count * amounts.DISK_GB,
});

describe.each([
  ['this server', startOurs],
  ['OpenStack Placement', startReference],
])('Nova with %s', (name, start) => {
  let placement: PlacementServer;
  let cloud: Cloud;
  let fleet: Fleet;
  let small: string;
  let large: string;
  let servers: string[] = [];

  beforeAll(async () => {
    placement = await start();
    fleet = new Fleet(placement.url);
    cloud = await Cloud.start(placement.standIns);
    small = await cloud.nova.createFlavor('small', SMALL.VCPU, SMALL.MEMORY_MB, SMALL.DISK_GB);
    large = await cloud.nova.createFlavor('large', LARGE.VCPU, LARGE.MEMORY_MB, LARGE.DISK_GB);
    fleet.watch();
  }, 900_000);

  afterAll(async () => {
    await fleet?.unwatch();
    await cloud?.stop();
    await placement?.stop();
  }, 120_000);

  /** The servers are the only consumers, each with what its flavor takes. */
  const expectUsed = async (smallOnes: number, largeOnes = 0): Promise<void> => {
    const [ofSmall, ofLarge] = [times(smallOnes, SMALL), times(largeOnes, LARGE)];
    expect(await fleet.used()).toEqual({
      VCPU: ofSmall.VCPU + ofLarge.VCPU,
      MEMORY_MB: ofSmall.MEMORY_MB + ofLarge.MEMORY_MB,
      DISK_GB: ofSmall.DISK_GB + ofLarge.DISK_GB,
    });
    expect(await fleet.consumers()).toEqual([...servers].sort());
  };

  const expectClean = async (): Promise<void> => {
    const healed = await cloud.manage('placement', 'heal_allocations', '--dry-run', '--verbose');
    expect(healed).toMatchObject({ code: 4 }); // nothing to heal
    expect(await cloud.manage('placement', 'audit', '--verbose')).toMatchObject({ code: 0 });
  };

  const hostsOf = (list: readonly { readonly 'OS-EXT-SRV-ATTR:host': string | null }[]): (string | null)[] =>
    list.map((server) => server['OS-EXT-SRV-ATTR:host']);

  test(`${SERVERS} servers boot at once, until the fleet is full`, async () => {
    const names = Array.from({ length: SERVERS }, (_, at) => `server${at}`);
    servers = await Promise.all(names.map((server) => cloud.nova.boot(server, small, IMAGE)));
    await cloud.nova.until(servers, 'ACTIVE');
    await expectUsed(SERVERS);
  }, 900_000);

  test('a further one finds no host', async () => {
    const further = await cloud.nova.boot('further', small, IMAGE);
    await cloud.nova.until([further], 'ERROR');
    const { fault } = await cloud.nova.server(further);
    expect(fault!.message).toContain('No valid host was found');
    await cloud.nova.deleteAll([further]);
    await expectUsed(SERVERS);
  }, 900_000);

  test('deleted servers leave their resources', async () => {
    await cloud.nova.deleteAll(servers.slice(25));
    servers = servers.slice(0, 25);
    await expectUsed(25);
    await expectClean();
  }, 900_000);

  test('servers are resized; some of them are reverted', async () => {
    const resized = servers.slice(0, 5);
    await Promise.all(resized.map((id) => cloud.nova.act(id, { resize: { flavorRef: large } })));
    await cloud.nova.until(resized, 'VERIFY_RESIZE');
    await Promise.all(resized.slice(0, 3).map((id) => cloud.nova.act(id, { confirmResize: null })));
    await Promise.all(resized.slice(3).map((id) => cloud.nova.act(id, { revertResize: null })));
    await cloud.nova.until(resized, 'ACTIVE');
    await expectUsed(22, 3);
    await expectClean();
  }, 900_000);

  test('servers are migrated, cold and live', async () => {
    const [cold, live] = [servers.slice(5, 9), servers.slice(9, 12)];
    await Promise.all(cold.map((id) => cloud.nova.act(id, { migrate: { host: null } })));
    await cloud.nova.until(cold, 'VERIFY_RESIZE');
    await Promise.all(cold.map((id) => cloud.nova.act(id, { confirmResize: null })));
    const migration = { 'os-migrateLive': { host: null, block_migration: 'auto' } };
    await Promise.all(live.map((id) => cloud.nova.act(id, migration)));
    await cloud.nova.until([...cold, ...live], 'ACTIVE');
    await cloud.untilMigrated();
    await expectUsed(22, 3);
    await expectClean();
  }, 900_000);

  test('shelved servers have no resources until they are unshelved', async () => {
    const shelved = servers.slice(12, 17);
    await Promise.all(shelved.map((id) => cloud.nova.act(id, { shelve: null })));
    await cloud.nova.until(shelved, 'SHELVED_OFFLOADED');
    const all = servers;
    servers = all.filter((id) => !shelved.includes(id));
    await expectUsed(17, 3);
    servers = all;
    await Promise.all(shelved.map((id) => cloud.nova.act(id, { unshelve: null })));
    await cloud.nova.until(shelved, 'ACTIVE');
    await expectUsed(22, 3);
    await expectClean();
  }, 900_000);

  test('servers of a lost host are evacuated; it comes back without them', async () => {
    const [lost] = HOSTS;
    const there = (await cloud.nova.servers()).filter((server) => server['OS-EXT-SRV-ATTR:host'] === lost);
    const ids = there.map(({ id }) => id);
    await cloud.stopCompute(lost);
    await cloud.nova.forceDown(lost, true);
    await Promise.all(ids.map((id) => cloud.nova.act(id, { evacuate: {} })));
    await cloud.nova.until(ids, 'ACTIVE');
    await cloud.untilEvacuated();
    expect(hostsOf(await cloud.nova.until(ids, 'ACTIVE'))).not.toContain(lost);
    await cloud.startCompute(lost);
    await cloud.untilMigrated(); // Nova refuses to raise the host before
    await cloud.nova.forceDown(lost, false);
    await expectUsed(22, 3);
    await expectClean();
  }, 900_000);

  test('nothing is left of deleted servers', async () => {
    await cloud.nova.deleteAll(servers);
    servers = [];
    expect(await fleet.consumers()).toEqual([]);
    await expectClean();
  }, 900_000);

  test('no provider was ever above its capacity', async () => {
    await fleet.unwatch();
    expect(fleet.exceeded).toEqual([]);
  });

  test(`of ${CLAIMS} claims at once, those that fit are accepted`, async () => {
    expect(await acceptedClaims(name, fleet)).toEqual(Array.from({ length: ROUNDS }, () => CAPACITY));
  });
});

test("OpenStack Placement accepts further claims at MariaDB's default isolation", async () => {
  const placement = await startReference(OLDER_READS);
  try {
    const accepted = await acceptedClaims('OpenStack Placement by default', new Fleet(placement.url));
    expect(Math.max(...accepted)).toBeGreaterThan(CAPACITY);
  } finally {
    await placement.stop();
  }
}, 120_000);

/** Returns how many of the claims of each round are accepted. */
async function acceptedClaims(name: string, fleet: Fleet): Promise<number[]> {
  const accepted: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const provider = randomUUID();
    await fleet.createProvider(provider, 'CUSTOM_SLOT', CAPACITY);
    accepted.push(await fleet.race(provider, 'CUSTOM_SLOT', CLAIMS));
  }
  console.log(
    `${name}: of ${CLAIMS} claims of 1 at once on a capacity of ${CAPACITY}, accepted: ${accepted.join(', ')}`,
  );
  return accepted;
}
