import type { Bench } from './bench.js';
import { MINIMAL } from './client.js';
import { against, timeFigure, type Figure } from './figure.js';
import { interleaved, type Work } from './measure.js';
import type { FleetTargets } from './targets.js';

/** The maximum time of a page of a list, as a multiple of the minimal query. */
const BAR = { atMost: 10 };

export interface List {
  readonly what: string;
  readonly query: string;
}

const HOSTS = 'resourceProviders(filter: { rootsOnly: true';
const VCPU = 'resourceClass: "VCPU"';
const PAGE = '{ nodes { uuid name } pageInfo { hasNextPage endCursor } }';
const WITH_TREE = `{ nodes { uuid name treeTotals(${VCPU}) { capacity used utilization } } }`;
const CONSUMERS = '{ nodes { uuid projectId type { name } } }';

/** Returns the lists that a dashboard reads. */
export function lists({ zone, host }: FleetTargets): List[] {
  return [
    {
      what: 'the ten fullest hosts',
      query: `${HOSTS} }, orderBy: { treeUtilization: { ${VCPU}, direction: DESC } }, first: 10) ${WITH_TREE}`,
    },
    {
      what: '100 hosts, the fullest first',
      query: `${HOSTS} }, orderBy: { treeUtilization: { ${VCPU}, direction: DESC } }) ${WITH_TREE}`,
    },
    {
      what: '100 providers, the most free VCPU first',
      query: `resourceProviders(orderBy: { available: { ${VCPU}, direction: DESC } }) ${PAGE}`,
    },
    {
      what: '100 hosts, the last changed first',
      query: `${HOSTS} }, orderBy: { updatedAt: DESC }) { nodes { uuid name updatedAt } }`,
    },
    { what: '100 hosts, name contains "42"', query: `${HOSTS}, nameContains: "42" }) ${PAGE}` },
    {
      what: '100 providers, name starts with',
      query: `resourceProviders(filter: { nameStartsWith: "host-0" }) ${PAGE}`,
    },
    {
      what: '100 hosts by what their tree has',
      query:
        `${HOSTS}, hasTraitInTree: "HW_NUMA_ROOT", memberOfInTree: { uuid: "${zone}" }, ` +
        `resourcesInTree: { ${VCPU}, amount: 4 } }) ${PAGE}`,
    },
    { what: '100 providers by name', query: `resourceProviders ${PAGE}` },
    { what: 'the last 100 providers by name', query: `resourceProviders(last: 100) ${PAGE}` },
    { what: '100 hosts by name', query: `${HOSTS} }) ${PAGE}` },
    {
      what: '100 providers with a trait',
      query: `resourceProviders(filter: { requiredTraits: "HW_NUMA_ROOT" }) ${PAGE}`,
    },
    {
      what: '100 providers in a zone',
      query: `resourceProviders(filter: { memberOf: { uuid: "${zone}" } }) ${PAGE}`,
    },
    {
      what: '100 providers with 4 VCPU free',
      query: `resourceProviders(filter: { resources: { ${VCPU}, amount: 4 } }) ${PAGE}`,
    },
    {
      what: '100 trees of fleetTotals, the fullest first',
      query:
        `fleetTotals(groupBy: TREE, filter: { ${VCPU} }, orderBy: { utilization: DESC }) ` +
        '{ nodes { group { ... on ResourceProvider { name } } used capacity } }',
    },
    { what: '100 consumers', query: `consumers ${CONSUMERS}` },
    {
      what: 'the consumers of a host, the largest first',
      query: `consumers(filter: { inTree: { uuid: "${host}" } }, orderBy: { used: { ${VCPU}, direction: DESC } }) ${CONSUMERS}`,
    },
    {
      what: '100 consumers of the fleet, the largest first',
      query: `consumers(orderBy: { used: { ${VCPU}, direction: DESC } }) ${CONSUMERS}`,
    },
    { what: '100 projects', query: 'projects { nodes { projectId } }' },
    {
      what: '100 projects, the most consumers first',
      query: 'projects(orderBy: { consumerCount: DESC }) { nodes { projectId consumerCount } }',
    },
    {
      what: '100 projects, the most VCPU first',
      query: `projects(orderBy: { used: { ${VCPU}, direction: DESC } }) { nodes { projectId } }`,
    },
    {
      what: '100 users, the most consumers first',
      query: 'users(orderBy: { consumerCount: DESC }) { nodes { userId consumerCount } }',
    },
  ];
}

/** Measures a page of each list as a dashboard reads it, in turn with the minimal query. */
export async function listFigures({ hosts, options, targets, client }: Bench): Promise<Figure[]> {
  const all = lists(targets);
  const bytes = new Map<string, number>();
  const works = all.map(({ what, query }): Work => async () => {
    const answer = await client.send(`{ ${query} }`);
    if (!bytes.has(what) && answer.text().includes('"errors"')) throw new Error(answer.text());
    bytes.set(what, answer.bytes);
    return answer.ms;
  });
  const samples = await interleaved(
    works.flatMap((work) => [client.minimal, work]),
    Math.ceil(options.repetitions / 5),
  );
  return all.map(({ what }, index) =>
    timeFigure(samples[2 * index + 1], {
      hosts,
      what,
      detail: `${(bytes.get(what)! / 1e3).toFixed(1)} kB`,
      checks: [against(MINIMAL, samples[2 * index], BAR)],
    }),
  );
}
