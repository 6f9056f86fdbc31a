import { expect, test } from '@jest/globals';
import { prepared } from '../support/prepared.js';
import { compared } from './comparison.js';

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

test("Nova's functional tests that pass with OpenStack Placement pass", async () => {
  const { worse, count } = await compared('run_functional.py', ({ url }) => ['--url', url, ...MODULES]);
  expect(worse).toEqual([]);
  expect(count).toBeGreaterThan(200);
}, 10_800_000);
