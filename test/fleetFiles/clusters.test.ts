import { expect, test } from '@jest/globals';
import { mapped, pictures, texts } from './publicFiles.js';
import { failureOf } from '../fleets/support.js';

/** A node of amd64 for 110 pods. */
const bareNode = (name: string, cpu: number, disk: number, memory: number, gpu = ''): string =>
  `${name} CUSTOM_MILLICPU=${cpu} DISK_GB=${disk} MEMORY_MB=${memory}${gpu} CUSTOM_PODS=110 HW_ARCH_X86_64`;

test('kubernetes: two arm64 nodes in two zones (honeycombio/honeycomb-kubernetes-agent at c8c00fc18)', async () => {
  const node = (name: string, zone: string): string =>
    `${name} CUSTOM_ATTACHABLE_VOLUMES_AWS_EBS=39 CUSTOM_MILLICPU=7910 DISK_GB=114 MEMORY_MB=30398 CUSTOM_PODS=58 HW_ARCH_AARCH64 @${zone}`;
  expect(await pictures('kubernetes', 'honeycomb-kubernetes-agent/testdata/nodes.json')).toEqual([
    node('duckboat-01', 'us-east-1a'),
    node('duckboat-02', 'us-east-2d'),
  ]);
});

test('kubernetes: one of four nodes is cordoned (murat-akpinar/k8rs at 22a84d809)', async () => {
  expect(await pictures('kubernetes', 'k8rs/tests/fixtures/nodes.json')).toEqual([
    bareNode('k8rs-control-plane', 12_000, 953, 23_708),
    `${bareNode('k8rs-worker', 12_000, 953, 23_708)} COMPUTE_STATUS_DISABLED`,
    bareNode('k8rs-worker2', 12_000, 953, 23_708),
    bareNode('k8rs-worker3', 12_000, 953, 23_708),
  ]);
});

// replicatedhq/troubleshoot at 5bf008f7d; nodes of a NodeList need no kind of their own
const NODES = [
  bareNode('repldev-marc', 8_000, 967, 30_049),
  bareNode('biggernode-3i745', 8_000, 88, 29_222),
  bareNode('pool-yd23sqk7u-3i7i7', 2_000, 70, 3_110),
  bareNode('pool-yd23sqk7u-3i7it', 2_000, 70, 3_110),
  bareNode('pool-yd23sqk7u-3i7v3', 2_000, 70, 3_110),
  bareNode('smallnode-3i74t', 1_000, 44, 1_574),
];

test('kubernetes: seven nodes of several clusters, one with a GPU (troubleshoot)', async () => {
  expect(await pictures('kubernetes', 'troubleshoot/pkg/analyze/files/nodes.json')).toEqual([
    ...NODES,
    bareNode('ip-172-31-21-92', 1_000, 87, 15_688, ' CUSTOM_NVIDIA_COM_GPU=1'),
  ]);
});

test('kubernetes: six nodes of a support bundle (troubleshoot)', async () => {
  const path = 'troubleshoot/pkg/analyze/files/support-bundle/cluster-resources/nodes.json';
  expect(await pictures('kubernetes', path)).toEqual(NODES);
});

test('kubernetes: nodes of 2020 have the zone in its former label (chookapp/kubview at f84910b13)', async () => {
  const node = (address: string, zone: string): string =>
    `ip-${address}.eu-central-1.compute.internal CUSTOM_ATTACHABLE_VOLUMES_AWS_EBS=25 CUSTOM_MILLICPU=2000 DISK_GB=17 MEMORY_MB=3784 CUSTOM_PODS=17 HW_ARCH_X86_64 @${zone}`;
  expect(await pictures('kubernetes', 'kubview/public/testdata/node.json')).toEqual([
    node('192-168-4-135', 'eu-central-1c'),
    node('192-168-47-102', 'eu-central-1a'),
  ]);
});

test('kubernetes: an object without its kind is no node (openshift/insights-operator at 8494b69b8)', async () => {
  const name = 'master-0.imeixner20210707.lab.upshift.rdu2.redhat.com.json';
  const path = `insights-operator/docs/insights-archive-sample/config/node/${name}`;
  expect(await failureOf('kubernetes', texts(path))).toBe(
    `Failure: ${name}: it is no object of Kubernetes: it has no kind`,
  );
});

// SchedMD/slurm at 284c3b95f (25.05 and later)
const SLURM = 'slurm/testsuite';

test.each([
  // two sockets of four or eight processors; two lines of gres.conf describe the eight devices of each node
  ['test7.17.1', 8],
  ['test7.17.2', 16],
  ['test7.17.4', 8],
])('slurm: %s has ten nodes with eight GPUs', async (name, processors) => {
  const path = `${SLURM}/expect/test7.17_configs/${name}`;
  const found = await pictures('slurm', `${path}/slurm.conf`, `${path}/gres.conf`);
  expect(found).toEqual(
    Array.from(
      { length: 10 },
      (_, at) => `test_node${at} VCPU=${processors} MEMORY_MB=1\n  test_node${at}-gpu PGPU=8`,
    ),
  );
});

test('slurm: blocks are aggregates', async () => {
  const path = `${SLURM}/python/check/topology`;
  const found = await pictures('slurm', `${path}/slurm.conf`, `${path}/topology.conf`);
  expect(found).toEqual(
    Array.from({ length: 32 }, (_, at) => {
      const name = `node${String(at + 1).padStart(2, '0')}`;
      return `${name} VCPU=1 MEMORY_MB=2000 CUSTOM_BLOCK @b${1 + Math.floor(at / 4)}`;
    }),
  );
});

test('slurm: 10,000 nodes are below three levels of switches', async () => {
  const path = `${SLURM}/python/tests/test_133_1_testcases/testcase1`;
  const found = await pictures('slurm', `${path}/slurm.conf`, `${path}/topology.conf`);
  expect(found).toHaveLength(10_000);
  expect(found[0]).toBe('peta10000 VCPU=1 MEMORY_MB=1 @root @im0 @grp10 @leaf100');
});

// alibaba/clusterdata at 7a6c496e4
const OPENB = `host: sn
resources: { cpu_milli: CUSTOM_MILLICPU, memory_mib: MEMORY_MB, gpu: PGPU }
labels: { model: trait }
`;

test('csv: openb_node_list_all_node has 1,523 hosts, 310 of them without a GPU', async () => {
  const hosts = await mapped(OPENB, 'clusterdata/cluster-trace-gpu-v2023/csv/openb_node_list_all_node.csv');
  expect(hosts).toHaveLength(1_523);
  expect(hosts.filter((each) => !each.includes('PGPU'))).toHaveLength(310);
  expect(hosts[0]).toBe('openb-node-0000 CUSTOM_MILLICPU=32000 MEMORY_MB=262144');
});

test('csv: openb_node_list_gpu_node has 6,212 GPUs in 1,213 hosts', async () => {
  const hosts = await mapped(OPENB, 'clusterdata/cluster-trace-gpu-v2023/csv/openb_node_list_gpu_node.csv');
  expect(hosts).toHaveLength(1_213);
  expect(hosts[0]).toBe('openb-node-0000 CUSTOM_MILLICPU=64000 MEMORY_MB=262144 PGPU=2 CUSTOM_MODEL_P100');
  const gpus = hosts.map((each) => Number(/PGPU=(\d+)/.exec(each)![1]));
  expect(gpus.reduce((sum, each) => sum + each)).toBe(6_212);
});

test('csv: node_info_df numbers its hosts, and has no memory', async () => {
  const mapping = `host: node_name
resources: { cpu_num: VCPU, gpu_capacity_num: PGPU }
labels: { gpu_model: trait }
`;
  const [first] = await mapped(mapping, 'clusterdata/cluster-trace-v2026-spot-gpu/node_info_df.csv');
  expect(first).toBe('0 VCPU=192 PGPU=4 CUSTOM_GPU_MODEL_GPU_SERIES_1');
});

test('csv: amounts in gigabytes (Mohammeduzairjagirdar/everest-ims at 806fcf5b4)', async () => {
  const mapping = `host: server_name
resources: { total_cpu: VCPU, total_ram: { class: MEMORY_MB, times: 1024 }, total_storage: DISK_GB }
`;
  expect(await mapped(mapping, 'everest-ims/data/servers.csv')).toEqual([
    'KVM VCPU=32 MEMORY_MB=131072 DISK_GB=500',
    'VMware VCPU=48 MEMORY_MB=262144 DISK_GB=500',
    'Hypervisor VCPU=24 MEMORY_MB=65536 DISK_GB=500',
  ]);
});

test('csv: 28 columns about patches, of which four matter (mahekanna/dummy_mahesh at 4a51bed0b)', async () => {
  const mapping = `host: Server Name
labels: { Operating System: trait, host_group: aggregate, location: aggregate }
`;
  const hosts = await mapped(mapping, 'dummy_mahesh/data/servers.csv');
  expect(hosts).toHaveLength(9);
  expect(hosts[0]).toBe('web01.company.com CUSTOM_OPERATING_SYSTEM_RHEL_8 @web_servers @NY DC');
});
