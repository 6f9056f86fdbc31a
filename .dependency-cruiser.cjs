// The arrows of docs/architecture.md, checked by the test command; imports of types count like any others.
const fleet = ['model', 'fleet'];
const store = [...fleet, 'store', 'generated'];
const moves = [...store, 'search', 'moves'];
const may = {
  model: [],
  fleet: ['model'],
  search: fleet,
  store,
  moves,
  api: moves,
  tools: ['model', 'store', 'generated'],
  server: [...moves, 'api', 'tools', 'command'],
  command: ['generated/client'],
};

const modules = Object.entries(may).map(([module, others]) => ({
  name: `${module}-imports`,
  comment: `src/${module}/ may import ${others.length ? others.join(', ') : 'nothing of ours'}`,
  severity: 'error',
  from: { path: `^src/${module}/` },
  to: {
    path: '^src/',
    pathNot: `^src/(${[module, ...others].join('|')})/`,
  },
}));

module.exports = {
  forbidden: [
    ...modules,
    {
      name: 'pure',
      comment: 'the nouns, the fleet and the search do no I/O and import no package',
      severity: 'error',
      from: { path: '^src/(model|fleet|search)/', pathNot: '^src/model/operation/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'] },
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
