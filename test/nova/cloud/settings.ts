/** What the services of a cloud share. */
export interface CloudSettings {
  readonly folder: string;
  readonly messages: string;
  readonly apiDatabase: string;
  readonly cellDatabase: string;
  readonly standIns: string;
  readonly apiPort: number;
}

/**
 * The driver of the hosts. After a live migration, most of Nova's fake drivers keep the server at its source. Nova then
 * cannot evacuate the server to this host.
 */
const DRIVER = 'fake.FakeLiveMigrateDriverWithNestedCustomResources';

const PASSWORD = ['password = any', 'user_domain_name = Default', 'project_domain_name = Default'];

/**
 * Returns the text of nova.conf for the services of one host. Every host has ten VCPUs, 8 GiB and 1,028 GB, and a nested
 * provider that no flavor uses.
 */
export function novaSettings(host: string, settings: CloudSettings): string {
  const { folder, messages, apiDatabase, cellDatabase, standIns, apiPort } = settings;
  const login = [
    'auth_type = password',
    `auth_url = ${standIns}/v3`,
    'username = nova',
    'project_name = service',
    ...PASSWORD,
    'region_name = RegionOne',
  ];
  const database = (connection: string): string[] => [
    `connection = ${connection}`,
    'max_pool_size = 5',
    'max_overflow = 10',
  ];
  return sections({
    DEFAULT: [
      `host = ${host}`,
      'my_ip = 127.0.0.1',
      `state_path = ${folder}/${host}`,
      `transport_url = ${messages}`,
      'enabled_apis = osapi_compute',
      'osapi_compute_listen = 127.0.0.1',
      `osapi_compute_listen_port = ${apiPort}`,
      'osapi_compute_workers = 1',
      `compute_driver = ${DRIVER}`,
      'cpu_allocation_ratio = 1.0',
      'ram_allocation_ratio = 1.0',
      'disk_allocation_ratio = 1.0',
      'reserved_host_memory_mb = 0',
      'shelved_offload_time = 0',
      'shelved_poll_interval = -1',
      'report_interval = 5',
      'rpc_response_timeout = 120',
    ],
    api: ['auth_strategy = keystone'],
    api_database: database(apiDatabase),
    database: database(cellDatabase),
    conductor: ['workers = 1'],
    scheduler: ['workers = 1'],
    quota: ['driver = nova.quota.NoopQuotaDriver'],
    vnc: ['enabled = false'],
    oslo_concurrency: [`lock_path = ${folder}/locks`],
    oslo_policy: ['enforce_scope = false', 'enforce_new_defaults = false'],
    keystone_authtoken: [`www_authenticate_uri = ${standIns}/v3`, ...login],
    placement: login,
    neutron: login,
    glance: ['region_name = RegionOne'],
  });
}

function sections(content: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(content)
    .flatMap(([name, lines]) => [`[${name}]`, ...lines])
    .join('\n')
    .concat('\n');
}
