import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse as parseGraphQL, validate } from 'graphql';
import { parse as parseYaml } from 'yaml';
import { loadDemoData } from '../../src/tools/demo/demo.js';
import { buildSchema } from '../../src/api/schema.js';
import { ALL_CODES } from '../../src/server/graphql/errorCodes.js';
import { takes } from '../support/claims.js';
import { useObservedServer } from './server.js';

interface Column {
  readonly selector: string;
  readonly text: string;
  readonly type: string;
}

/** A query of the plugin Infinity. */
interface ApiQuery {
  readonly refId: string;
  readonly url: string;
  readonly url_options: { readonly body_graphql_query: string };
  readonly root_selector: string;
  readonly columns: readonly Column[];
}

interface Panel {
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly ({
    readonly datasource: { readonly uid: string };
    readonly expr?: string;
  } & ApiQuery)[];
}

interface Variable {
  readonly name: string;
  readonly datasource: { readonly uid: string };
  readonly query: { readonly query: string; readonly infinityQuery?: ApiQuery };
}

/** An alert rule of Prometheus. */
interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

type Row = Readonly<Record<string, unknown>>;

const read = (file: string): string =>
  readFileSync(new URL(`../../deploy/grafana/${file}`, import.meta.url), 'utf8');
const dashboard = JSON.parse(read('dashboards/placement.json')) as {
  panels: Panel[];
  templating: { list: Variable[] };
};
const datasources = parseYaml(read('provisioning/datasources/placement.yaml')) as {
  datasources: { uid: string }[];
};
const ALERTS = 'deploy/prometheus/alerts.yaml';
const rules = parseYaml(readFileSync(new URL(`../../${ALERTS}`, import.meta.url), 'utf8')) as {
  groups: { name: string; rules: AlertRule[] }[];
};
const targets = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map((target) => ({ ...target, title })),
);
const variables = dashboard.templating.list;

/** The values of Grafana's variables. */
const VALUES: Readonly<Record<string, string>> = { class: 'VCPU', host: 'host-00001', __rate_interval: '1m' };
const filled = (text: string): string =>
  text.replaceAll(/\$(\w+)/g, (whole, name: string) => VALUES[name] ?? whole);

const { server } = useObservedServer((database) =>
  loadDemoData(database, { hosts: 20 }).then(() => undefined),
);
/** The labels of each metric of the exporter, by its name. */
const labels = new Map<string, Set<string>>();

beforeAll(async () => {
  await provokeEverySeries();
  for (const [, name, pairs = ''] of (await server.metrics()).matchAll(/^([a-z]\w*)(?:\{(.*)\})? /gm)) {
    const found = labels.get(name) ?? new Set();
    for (const [, label] of pairs.matchAll(/(\w+)="/g)) found.add(label);
    labels.set(name, found);
  }
});
/** Some metrics have labels only after the first claim, rejection or conflict. */
async function provokeEverySeries(): Promise<void> {
  const { data } = await server.ask('{ resourceProvider(by: { name: "host-00001-numa0" }) { uuid } }');
  const { uuid } = data!.resourceProvider as { uuid: string };
  const consumers = [takes(randomUUID(), null, { [uuid]: { VCPU: 1 } })];
  const claim = `mutation ($consumers: [ConsumerAllocationsInput!]!) {
    setAllocations(input: { consumers: $consumers }) { __typename } }`;
  await server.ask(claim, { consumers });
  await server.ask(claim, { consumers }); // rejected, as the consumer exists now
  await server.writeWithConflict();
}

describe('PromQL', () => {
  const alerts = rules.groups.flatMap((group) =>
    group.rules.map(({ alert, expr }) => ({ title: alert, expr })),
  );
  const fromVariables = variables.flatMap(({ name, query }) => {
    const [, expr] = /^label_values\((.*), \w+\)$/.exec(query.query) ?? [];
    return expr === undefined ? [] : [{ title: name, expr }];
  });
  const expressions = [...targets, ...alerts, ...fromVariables].flatMap(({ title, expr }) =>
    expr === undefined ? [] : [[title, expr] as const],
  );

  test('is what panels, variables and alert rules ask by', () => {
    expect(alerts.length).toBeGreaterThan(5);
    expect(fromVariables).toHaveLength(1);
    expect(expressions.length).toBeGreaterThan(alerts.length + 15);
  });

  test.each(expressions)('%s: %s names metrics and labels that the exporter has', (_title, expr) => {
    const { metrics, named } = namesIn(filled(expr));
    expect(metrics.length).toBeGreaterThan(0);
    for (const metric of metrics.filter((name) => name !== 'up'))
      expect([...labels.keys()]).toContain(metric);
    const known = ['job', 'instance', ...metrics.flatMap((metric) => [...(labels.get(metric) ?? [])])];
    for (const label of named) expect(known).toContain(label);
  });

  test('the names of metrics and labels are found', () => {
    const expr = 'sum by (a) (rate(x{b="c(d)"}[1m])) / on (e) group_left () y offset 5m > 0';
    expect(namesIn(expr)).toEqual({ metrics: ['x', 'y'], named: ['b', 'a', 'e'] });
  });
});

/** Returns the names of metrics and of labels in an expression, as far as the dashboard and the alerts use PromQL. */
function namesIn(expr: string): { metrics: string[]; named: string[] } {
  const named: string[] = [];
  const lists = /\b(by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
  const withoutText = expr.replaceAll(/"[^"]*"/g, '""');
  const rest = withoutText
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\{([^}]*)\}/g, (_, pairs: string) => {
      named.push(...Array.from(pairs.matchAll(/(\w+)\s*[=!]/g), ([, name]) => name));
      return '';
    })
    .replaceAll(lists, (_, _word: string, labels: string) => {
      named.push(...(labels.match(/\w+/g) ?? []));
      return '';
    });
  const words = rest.matchAll(/\b([a-z_]\w*)\b(?!\s*\()/g);
  const operators = ['and', 'or', 'unless', 'by', 'without', 'offset', 'bool'];
  return { metrics: Array.from(words, ([word]) => word).filter((word) => !operators.includes(word)), named };
}

describe('alert rules', () => {
  const all = rules.groups.flatMap((group) => group.rules);

  test('have different names, a severity, a summary and what to do', () => {
    expect(new Set(all.map(({ alert }) => alert)).size).toBe(all.length);
    for (const rule of all) {
      expect(Object.keys(rule).filter((key) => key !== 'for')).toEqual([
        'alert',
        'expr',
        'labels',
        'annotations',
      ]);
      expect(rule.alert).toMatch(/^[A-Z]\w+$/);
      expect(rule.for ?? '1m').toMatch(/^\d+[smh]$/);
      expect(['critical', 'warning']).toContain(rule.labels.severity);
      expect(Object.keys(rule.annotations)).toEqual(['summary', 'description']);
      expect(rule.annotations.description).toMatch(/\.$/);
    }
  });

  test('of errors name codes that exist', () => {
    const codes = all.flatMap(({ expr }) => /code=~"([^"]+)"/.exec(expr)?.[1].split('|') ?? []);
    expect(codes.length).toBeGreaterThan(4);
    expect(codes.filter((code) => !ALL_CODES.includes(code))).toEqual([]);
  });

  const promtool = spawnSync('promtool', ['--version']).status === 0 ? test : test.skip;
  promtool('pass promtool', () => {
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', ALERTS], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('GraphQL', () => {
  const schema = buildSchema();
  const queries = [
    ...targets.flatMap((target) =>
      target.expr === undefined ? [[`${target.title}, ${target.refId}`, target] as const] : [],
    ),
    ...variables.flatMap(({ name, query: { infinityQuery } }) =>
      infinityQuery ? [[name, infinityQuery] as const] : [],
    ),
  ];

  /** Returns the rows that Grafana shows: the columns of the objects that the selector selects. */
  async function rowsOf({ url_options, root_selector, columns }: ApiQuery): Promise<Row[]> {
    const answer = await server.ask(filled(url_options.body_graphql_query));
    const rows = selected(answer, root_selector) as Row[];
    return rows.map((row) =>
      Object.fromEntries(columns.map(({ selector, text }) => [text, selected(row, selector)])),
    );
  }

  test.each(queries)('%s: fits the schema, and has a row with every column', async (_name, query) => {
    expect(query.url).toBe('/graphql');
    const document = parseGraphQL(filled(query.url_options.body_graphql_query));
    expect(validate(schema, document)).toEqual([]);
    const rows = await rowsOf(query);
    expect(rows.length).toBeGreaterThan(0);
    for (const { text, type } of query.columns) {
      const types = new Set(rows.map((row) => (row[text] === null ? 'null' : typeof row[text])));
      expect([text, [...types].filter((each) => each !== 'null')]).toEqual([text, [type]]);
    }
  });

  test('the fullest host comes first', async () => {
    const rows = await rowsOf(queries.find(([name]) => name.endsWith('hosts'))![1]);
    const shares = rows.map((row) => row['in use'] as number);
    expect(shares).toHaveLength(20);
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
  });

  test('the tree of a host is a graph: every edge joins two nodes, and some have what is chosen', async () => {
    const of = (refId: string) => rowsOf(queries.find(([name]) => name.endsWith(`, ${refId}`))![1]);
    const [nodes, edges] = [await of('nodes'), await of('edges')];
    const ids = nodes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(nodes.length);
    expect(edges).toHaveLength(nodes.length - 1);
    for (const { source, target } of edges) expect(ids).toEqual(expect.arrayContaining([source, target]));
    expect(nodes.filter(({ color }) => typeof color === 'number').length).toBeGreaterThan(0);
  });

  test('only aggregates with a name are zones to choose', async () => {
    await server.ask(`mutation { updateResourceProvider(input: { resourceProvider: { name: "host-00001" }, aggregates: { add: { uuid: "${randomUUID()}" } } }) {
      __typename } }`);
    const { data } = await server.ask('{ aggregates { nodes { name } } }');
    const { nodes } = data!.aggregates as { nodes: { name: string | null }[] };
    const names = nodes.flatMap(({ name }) => name ?? []);
    expect(names.length).toBeLessThan(nodes.length);
    const rows = await rowsOf(queries.find(([name]) => name === 'zone')![1]);
    expect(rows.map(({ __text }) => __text)).toEqual(names);
  });
});

/**
 * Applies a selector of the plugin, a path of GJSON, as far as the dashboard uses it: names with dots, and at the end a condition
 * that a field is not empty.
 */
function selected(value: unknown, selector: string): unknown {
  const [, path, field] = /^([\w.]+?)(?:\.#\((\w+)>""\)#)?$/.exec(selector)!;
  const found = path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Row | null)?.[name] ?? null, value);
  return field === undefined ? found : (found as Row[]).filter((row) => Boolean(row[field]));
}

test('panels and variables read from the datasources that are provisioned', () => {
  const known = datasources.datasources.map(({ uid }) => uid);
  const used = [...targets, ...variables].map(({ datasource }) => datasource.uid);
  expect([...new Set(used)].sort()).toEqual([...known].sort());
});

test('no two panels overlap', () => {
  const isApart = ({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean =>
    a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
  const overlapping = dashboard.panels.flatMap((panel, at) =>
    dashboard.panels
      .slice(at + 1)
      .flatMap((other) => (isApart(panel, other) ? [] : [`${panel.title}, ${other.title}`])),
  );
  expect(overlapping).toEqual([]);
});
