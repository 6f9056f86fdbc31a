import { expect, test } from '@jest/globals';
import { prepared } from '../support/prepared.js';
import { compared, ran } from './comparison.js';
import { startOurs, type PlacementServer } from './placements.js';
import { failures } from './python.js';

prepared('PREPARED_NOVA_TESTS');

/** The modules of Nova's functional tests that are about providers and allocations. */
const MODULES = [
  'compute.test_resource_tracker',
  'libvirt.test_pci_in_placement',
  'libvirt.test_reshape',
  'libvirt.test_shared_resource_provider',
  'libvirt.test_vgpu',
  'test_report_client',
  'test_routed_networks',
  'test_servers_provider_tree',
  'test_servers_resource_request',
  'wsgi.test_services',
].map((name) => `nova.tests.functional.${name}`);

const run = (names: readonly string[]) => (placement: PlacementServer) => ['--url', placement.url, ...names];

test("Nova's functional tests that pass with OpenStack Placement pass", async () => {
  const { worse, count } = await compared('run_functional.py', run(MODULES));
  if (worse.length > 0) {
    // Nova's tests wait for a few seconds, which may be too short if the machine has other work
    const again = await ran(await startOurs(), 'run_functional.py', run(worse));
    expect(failures(again)).toEqual(new Map());
  }
  expect(count).toBeGreaterThan(200);
}, 10_800_000);
