// The arrows of docs/architecture.md, checked by the test command; imports of types count like any others.
const leaves = ['domain', 'runtime'];
const storage = [...leaves, 'database', 'feed'];
const may = {
  domain: [],
  runtime: [],
  engine: ['domain'],
  database: [...leaves, 'generated'],
  privateDatabase: [],
  authentication: ['runtime'],
  feed: [...leaves, 'database'],
  snapshot: [...storage, 'engine/model'],
  ledger: storage,
  placement: [...storage, 'engine', 'snapshot', 'ledger'],
  reads: [...leaves, 'database', 'generated'],
  telemetry: [...leaves, 'engine'],
  process: [...storage, 'snapshot', 'ledger', 'placement', 'reads', 'telemetry'],
  schema: [...storage, 'authentication', 'engine', 'ledger', 'placement', 'reads', 'process'],
  fastCandidates: ['database', 'engine', 'placement', 'schema'],
  'api/rest': [
    ...storage,
    'authentication',
    'engine',
    'ledger',
    'placement',
    'reads',
    'process',
    'schema',
    'fastCandidates',
  ],
  server: [
    ...storage,
    'api/rest',
    'authentication',
    'ledger',
    'placement',
    'reads',
    'process',
    'schema',
    'fastCandidates',
    'telemetry',
  ],
  direct: ['database', 'process', 'server'],
  workers: [],
  cli: [
    ...storage,
    'authentication',
    'privateDatabase',
    'engine',
    'ledger',
    'process',
    'server',
    'direct',
    'telemetry',
    'snapshot',
    'workers',
    'api/rest',
  ],
};

const rooms = Object.entries(may).map(([room, others]) => ({
  name: `${room}-imports`,
  comment: `src/${room}/ may import ${others.length ? others.join(', ') : 'nothing of ours'}`,
  severity: 'error',
  from: { path: `^src/${room}/`, pathNot: '^src/command/' }, // that has a rule of its own
  to: {
    path: '^src/',
    pathNot: `^src/(${[room, ...others].join('|')})/`,
  },
}));

module.exports = {
  forbidden: [
    ...rooms,
    {
      name: 'pure',
      comment: 'domain and engine do no I/O and know no Prisma, no GraphQL, no clock',
      severity: 'error',
      from: { path: '^src/(domain|engine)/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'] },
    },
    {
      name: 'client-asks-a-server',
      comment:
        'the command line that asks a server has nothing of what a server is made of, so that it starts at once',
      severity: 'error',
      from: { path: '^src/command/' },
      to: { path: '^src/', pathNot: '^src/(cli/client|generated/client)/' },
    },
    {
      name: 'only-pothos-in-schema',
      comment: 'src/schema/ has GraphQL types and nothing else: what reads or writes is in rooms of its own',
      severity: 'error',
      from: { path: '^src/schema/' },
      to: { path: '^(node_modules/(mariadb|dataloader|kysely)/|src/generated/)' },
    },
    {
      name: 'dashboard-asks-the-api',
      comment: 'the pages know of the server what its schema says',
      severity: 'error',
      from: { path: '^dashboard/' },
      to: { path: '^(src|bench|test)/' },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'src-never-imports-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench)/' },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^src/generated/', '^dashboard/generated/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
