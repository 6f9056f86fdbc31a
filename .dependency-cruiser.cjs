// The arrows of docs/architecture.md, checked by the test command.
const may = {
  engine: [],
  database: [],
  snapshot: ['engine', 'database'],
  ledger: ['engine', 'snapshot', 'database'],
  schema: ['engine', 'snapshot', 'ledger', 'database'],
  server: ['engine', 'snapshot', 'ledger', 'database', 'schema'],
  direct: ['engine', 'snapshot', 'ledger', 'database', 'schema', 'server'],
  cli: ['engine', 'snapshot', 'ledger', 'database', 'schema', 'server', 'direct'],
};

const rooms = Object.entries(may).map(([room, others]) => ({
  name: `${room}-imports`,
  comment: `src/${room}/ may import ${others.length ? others.join(', ') : 'nothing of ours'}`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: {
    path: '^src/',
    pathNot: `^src/(${[room, ...others, ...(room === 'database' ? ['generated'] : [])].join('|')})/`,
  },
}));

module.exports = {
  forbidden: [
    ...rooms,
    {
      name: 'engine-is-pure',
      comment: 'the engine does no I/O, knows no Prisma, no GraphQL, no clock',
      severity: 'error',
      from: { path: '^src/engine/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'] },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'src-never-imports-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
