import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readSettings } from '../../src/server/settings/settings.js';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const manifest = <Manifest>(name: string): Manifest =>
  parse(read(`deploy/kubernetes/${name}.yaml`)) as Manifest;

interface Probe {
  readonly httpGet: { readonly path: string; readonly httpHeaders: object };
}

/** The parts of a Deployment that the tests read. */
interface Deployment {
  readonly spec: {
    readonly selector: { readonly matchLabels: object };
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly securityContext: object;
        readonly containers: readonly (Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe> & {
          readonly securityContext: object;
          readonly ports: object;
        })[];
      };
    };
  };
}

const files = readdirSync(new URL('deploy/kubernetes', root)).map((file) => file.replace('.yaml', ''));
const containerfile = read('Containerfile');
const [, user] = /^USER (\d+):\1$/m.exec(containerfile)!;

const selectorOf = (name: string, key: 'selector' | 'podSelector'): { matchLabels: object } =>
  manifest<{ spec: Record<string, { matchLabels: object }> }>(name).spec[key];

test('all manifests but the example are applied together', () => {
  const { resources } = manifest<{ resources: string[] }>('kustomization');
  const listed = [...resources, 'kustomization.yaml', 'secret.example.yaml'];
  expect(listed.sort()).toEqual(files.map((name) => `${name}.yaml`).sort());
});

test('pods run as the user of the image, may do nothing, and are found by service, budget and policy', () => {
  const { spec } = manifest<Deployment>('deployment');
  const labels = spec.template.metadata.labels;
  const [container] = spec.template.spec.containers;
  expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user) });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(spec.selector.matchLabels).toEqual(labels);
  expect(manifest<{ spec: { selector: object } }>('service').spec.selector).toEqual(labels);
  expect(selectorOf('poddisruptionbudget', 'selector').matchLabels).toEqual(labels);
  expect(selectorOf('networkpolicy', 'podSelector').matchLabels).toEqual(labels);
  const [, port] = /^EXPOSE (\d+)$/m.exec(containerfile)!;
  expect(container.ports).toEqual([{ name: 'http', containerPort: Number(port) }]);
});

test('probes use a name that every server answers to', () => {
  const [container] = manifest<Deployment>('deployment').spec.template.spec.containers;
  for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe])
    expect(probe.httpGet.httpHeaders).toEqual([{ name: 'Host', value: 'localhost' }]);
  expect(container.readinessProbe.httpGet.path).toBe('/readyz');
  expect(container.livenessProbe.httpGet.path).toBe('/livez');
});

test('the Containerfile names its image by a tag and contains no secret', () => {
  expect(containerfile).toMatch(/^ARG NODE_IMAGE=\S+:\d+-[\w-]+$/m);
  expect(containerfile).not.toMatch(/password|token|secret|DATABASE_URL/i);
});

test('the settings of the package for Debian are settings', () => {
  const file = new URL('deploy/debian/placement.yaml', root).pathname;
  const { settings } = readSettings({ file, environment: {} });
  expect(settings['database.dataDirectory']).toBe('/var/lib/placement-graphql');
});
