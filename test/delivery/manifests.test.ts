import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { validate as lint } from 'dockerfile-utils';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, Secret, Service, ServiceAccount } from 'kubernetes-models/v1';
import { parse } from 'yaml';
import { readSettings } from '../../src/server/settings/settings.js';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const manifest = <Manifest>(name: string): Manifest =>
  parse(read(`deploy/kubernetes/${name}.yaml`)) as Manifest;

const KINDS = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
  ServiceAccount,
};
const files = readdirSync(new URL('deploy/kubernetes', root)).map((file) => file.replace('.yaml', ''));
const containerfile = read('Containerfile');
const [, user] = /^USER (\d+):\1$/m.exec(containerfile)!;

test.each(files.filter((name) => name !== 'kustomization'))('%s is what Kubernetes takes', (name) => {
  const data = manifest<{ apiVersion: string; kind: keyof typeof KINDS }>(name);
  const Kind = KINDS[data.kind] as new (data: object) => { validate(): void; apiVersion: string };
  const object = new Kind(data);
  expect(() => object.validate()).not.toThrow();
  expect(new Kind({}).apiVersion).toBe(data.apiVersion);
});

test('all manifests but the example are applied together', () => {
  const { resources } = manifest<{ resources: string[] }>('kustomization');
  const listed = [...resources, 'kustomization.yaml', 'secret.example.yaml'];
  expect(listed.sort()).toEqual(files.map((name) => `${name}.yaml`).sort());
});

test('pods run as the user of the image, may do nothing, and are found by service, budget and policy', () => {
  const { spec } = manifest<Deployment>('deployment');
  const labels = spec!.template.metadata!.labels!;
  const [container] = spec!.template.spec!.containers;
  expect(spec!.template.spec!.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user) });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(spec!.selector.matchLabels).toEqual(labels);
  expect(manifest<Service>('service').spec!.selector).toEqual(labels);
  expect(manifest<PodDisruptionBudget>('poddisruptionbudget').spec!.selector!.matchLabels).toEqual(labels);
  expect(manifest<NetworkPolicy>('networkpolicy').spec!.podSelector.matchLabels).toEqual(labels);
  const [, port] = /^EXPOSE (\d+)$/m.exec(containerfile)!;
  expect(container.ports).toEqual([{ name: 'http', containerPort: Number(port) }]);
});

test('probes use a name that every server answers to', () => {
  const [container] = manifest<Deployment>('deployment').spec!.template.spec!.containers;
  for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe])
    expect(probe!.httpGet!.httpHeaders).toEqual([{ name: 'Host', value: 'localhost' }]);
  expect(container.readinessProbe!.httpGet!.path).toBe('/readyz');
  expect(container.livenessProbe!.httpGet!.path).toBe('/livez');
});

test('the Containerfile is well-formed; its image is named by a tag, and has no secret', () => {
  expect(lint(containerfile)).toEqual([]);
  expect(containerfile).toMatch(/^ARG NODE_IMAGE=\S+:\d+-[\w-]+$/m);
  expect(containerfile).not.toMatch(/password|token|secret|DATABASE_URL/i);
});

test('the settings of the package for Debian are settings', () => {
  const file = new URL('deploy/debian/placement.yaml', root).pathname;
  const { settings } = readSettings({ file, environment: {} });
  expect(settings['database.dataDirectory']).toBe('/var/lib/placement-graphql');
});
