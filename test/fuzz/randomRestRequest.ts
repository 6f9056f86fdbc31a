import { ROUTES, schemaOf, type Route } from '../../src/api/rest/routeTable.js';
import { CLASS_PATTERN, CUSTOM_PATTERN } from '../../src/api/rest/schemas/names.js';
import { UUID_KEY } from '../../src/api/rest/schemas/allocations.js';
import type { Random } from '../oracle/random.js';
import type { FleetValues } from './fleetValues.js';
import { NUMBERS, ODD, TEXTS } from './inputValues.js';

/** A request of the REST API as it is sent. */
export interface RandomRestRequest {
  readonly route: string;
  readonly method: string;
  /** With the query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The parts of JSON Schema that the schemas of the API use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minProperties?: number;
}

const SUFFIXES = ['', '1', '2', '_A', '_B', '-', 'x'.repeat(64)];
const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];
const VERSIONS = [
  'placement 1.40',
  'placement latest',
  'placement 1',
  'placement x.y',
  '',
  'compute 2.1',
  '1.9',
];
const TYPES = ['text/plain', 'application/json; charset=utf-8', 'application/octet-stream', ''];
const ACCEPTED = ['text/html', 'application/json;q=0', 'text/*', '*/*;q=0.1', ''];

/** Draws requests of each route of the table: most match its schemas, others differ from them in one or many places. */
export class RestRequests {
  /** The percentage of values from the edges of their types. */
  private oddity = 0;

  constructor(
    private readonly random: Random,
    private readonly fleet: FleetValues,
  ) {}

  draw(): RandomRestRequest {
    const { random } = this;
    this.oddity = random.pick([0, 0, 0, 0, 2, 10, 40]);
    const route = random.pick(ROUTES);
    const { since = 0, until = 39, method } = route;
    const version = random.chance(50) ? until : random.between(since, until);
    const [bodySchema, querySchema] = [schemaOf(route.body, version), schemaOf(route.query, version)];
    const value = bodySchema === null ? null : this.value(bodySchema, 'body');
    const request = {
      route: `${method} ${route.path}`,
      method,
      path: this.path(route) + (querySchema === null ? '' : this.query(querySchema)),
      headers: {
        'openstack-api-version': `placement 1.${version}`,
        ...(value !== null && { 'content-type': 'application/json' }),
      },
      body: value === null ? null : JSON.stringify(value),
    };
    return random.chance(15) ? this.mutated(request) : request;
  }

  /** Changes a part of a request outside of its schemas. */
  private mutated(request: RandomRestRequest): RandomRestRequest {
    const { random } = this;
    const { path, headers, body } = request;
    const text = body ?? '{}';
    const joint = path.includes('?') ? '&' : '?';
    const odd = encodeURIComponent(this.oddText());
    const changes: Partial<RandomRestRequest>[] = [
      { method: random.pick(METHODS) },
      { headers: { ...headers, 'openstack-api-version': random.pick(VERSIONS) } },
      { headers: { ...headers, 'content-type': random.pick(TYPES) } },
      { headers: { ...headers, accept: random.pick(ACCEPTED) } },
      { path: `${path}${joint}${odd}=${odd}` },
      { path: `${path}${joint}${path.split(/[?&]/).slice(1).join('&')}` },
      { path: path.replace(/[^/?]+(?=\?|$)/, odd) },
      { path: path.replaceAll('%', random.pick(['%', '%%', '%zz'])) },
      {
        body: text.slice(0, random.between(0, text.length)),
        headers: { ...headers, 'content-type': 'application/json' },
      },
      {
        body: text.replace('{', '{"__proto__":{"uuid":1},'),
        headers: { ...headers, 'content-type': 'application/json' },
      },
      { body: '['.repeat(50_000), headers: { ...headers, 'content-type': 'application/json' } },
    ];
    return { ...request, ...random.pick(changes) };
  }

  private oddText(): string {
    return this.random.pick(TEXTS).replaceAll(/[\ud800-\udfff]/g, '');
  }

  private path({ path }: Route): string {
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (this.random.chance(this.oddity)) return encodeURIComponent(this.oddText());
      return encodeURIComponent(this.parameter(name, path));
    });
  }

  private parameter(name: string, path: string): string {
    if (name === 'uuid') return this.provider();
    if (name === 'consumer') return this.consumer();
    return name === 'name' && path.startsWith('/traits') ? this.trait() : this.className();
  }

  private query(schema: Schema): string {
    const { random } = this;
    const { properties = {}, patternProperties = {}, required = [] } = schema;
    const names = Object.keys(properties).filter((name) => required.includes(name) || random.chance(40));
    for (const pattern of Object.keys(patternProperties)) {
      const [, key] = /^\^(\w+?)\(/.exec(pattern)!;
      const count = key === 'resources' ? random.between(0, 3) : random.chance(40) ? 1 : 0;
      for (let at = 0; at < count; at++)
        names.push(key + SUFFIXES[random.chance(90) ? at : random.between(0, 6)]);
    }
    const pairs = names.map((name) => {
      const value = random.chance(this.oddity) ? this.oddText() : this.queryValue(name);
      return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    });
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  }

  private queryValue(name: string): string {
    const { random } = this;
    if (name.startsWith('resources')) return this.amounts();
    if (name.startsWith('required') || name === 'root_required') return this.traits();
    if (name.startsWith('member_of')) {
      const uuids = Array.from({ length: random.between(1, 3) }, () => this.aggregate());
      return `${random.chance(20) ? '!' : ''}${uuids.length > 1 || random.chance(20) ? 'in:' : ''}${uuids.join(',')}`;
    }
    if (name.startsWith('in_tree') || name === 'uuid') return this.provider();
    if (name === 'limit') return String(random.pick([1, 10, 100, 10 ** 20]));
    if (name === 'group_policy') return random.pick(['none', 'isolate']);
    if (name === 'same_subtree') return random.pick(['1,2', '_A', '1']);
    if (name === 'associated') return random.pick(['true', 'false', 'yes']);
    if (name === 'name')
      return random.pick(['in:', 'startswith:', '']) + random.pick([this.trait(), this.providerName()]);
    return this.text(name);
  }

  private amounts(): string {
    const { random } = this;
    const names = random.sample(
      ['VCPU', 'MEMORY_MB', 'DISK_GB', 'SRIOV_NET_VF', this.className()],
      random.between(1, 2),
    );
    return names.map((name) => `${name}:${random.pick([1, 1, 1, 64, 2 ** 31])}`).join(',');
  }

  private traits(): string {
    const { random } = this;
    const names = Array.from({ length: random.between(1, 3) }, () => this.trait());
    if (random.chance(20)) return `in:${names.join(',')}`;
    return names.map((name) => (random.chance(20) ? `!${name}` : name)).join(',');
  }

  /** Returns a value that matches a schema, except for odd values. @param name of the member */
  private value(schema: Schema, name: string): unknown {
    const { random } = this;
    if (random.chance(this.oddity)) return random.pick([...TEXTS, ...NUMBERS, ...ODD]);
    if (schema.anyOf) return this.value(random.pick(schema.anyOf), name);
    if (schema.enum) return random.pick(schema.enum);
    const type = typeof schema.type === 'string' ? schema.type : random.pick(schema.type ?? ['string']);
    if (type === 'object') return this.object(schema);
    if (type === 'array') return this.list(schema, name);
    if (type === 'integer') return this.number(name);
    if (type === 'number') return random.pick([1, 1, 1.5, 16, 0.1]);
    if (type === 'null') return null;
    return schema.format === 'uuid' ? this.uuid(name) : this.text(name, schema.pattern);
  }

  private object({
    properties = {},
    patternProperties = {},
    required = [],
    minProperties = 0,
  }: Schema): object {
    const { random } = this;
    const value: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(properties))
      if ((required.includes(name) && !random.chance(this.oddity)) || random.chance(50))
        value[name] = this.value(schema, name);
    for (const [pattern, schema] of Object.entries(patternProperties)) {
      const count = random.between(Math.max(minProperties, random.chance(80) ? 1 : 0), 2);
      for (let at = 0; at < count; at++) value[this.key(pattern, schema)] = this.value(schema, 'value');
    }
    if (random.chance(this.oddity)) value[this.oddText()] = 1;
    return value;
  }

  private key(pattern: string, { properties = {} }: Schema): string {
    if (pattern === UUID_KEY) return 'allocations' in properties ? this.consumer() : this.provider();
    return pattern === CLASS_PATTERN ? this.className() : this.random.pick(['', '_A', '1']);
  }

  private list({ items = {}, minItems = 0 }: Schema, name: string): unknown[] {
    const length = this.random.chance(this.oddity / 4) ? 300 : this.random.between(minItems, 2);
    return Array.from({ length }, () => this.value(items, name));
  }

  private number(name: string): number {
    const { random, fleet } = this;
    if (/generation$/.test(name))
      return random.chance(50) ? random.between(0, 3) : random.pick(fleet.providers).generation;
    if (name === 'total') return random.pick([8, 100, 1_000, 4_096]);
    return random.pick([1, 1, 1, 2, 4]);
  }

  private text(name: string, pattern?: string): string {
    const { random, fleet } = this;
    if (pattern === CUSTOM_PATTERN) return `CUSTOM_FUZZ_${random.between(1, 20)}`;
    if (pattern === CLASS_PATTERN && name !== 'consumer_type') return this.className();
    if (name === 'traits') return this.trait();
    if (name === 'project_id') return random.pick([...fleet.projects, 'fuzz']);
    if (name === 'user_id') return random.pick([...fleet.users, 'fuzz']);
    if (name === 'consumer_type') return random.pick([...fleet.types, 'FUZZ', 'INSTANCE']);
    return random.chance(90) ? `fuzz-${random.between(1, 100_000)}` : this.providerName();
  }

  private uuid(name: string): string {
    if (name === 'aggregates' || name === 'body') return this.aggregate();
    return name === 'uuid' && this.random.chance(50) ? this.newUuid() : this.provider();
  }

  private provider(): string {
    return this.random.chance(95) ? this.random.pick(this.fleet.providers).uuid : this.newUuid();
  }

  private providerName(): string {
    return this.random.pick(this.fleet.providers).name;
  }

  private consumer(): string {
    return this.random.chance(50) ? this.random.pick(this.fleet.consumers).uuid : this.newUuid();
  }

  private aggregate(): string {
    const { random, fleet } = this;
    return fleet.aggregates.length > 0 && random.chance(90) ? random.pick(fleet.aggregates) : this.newUuid();
  }

  private trait(): string {
    return this.random.chance(80)
      ? this.random.pick(this.fleet.traits)
      : `CUSTOM_FUZZ_${this.random.between(1, 20)}`;
  }

  private className(): string {
    const { random, fleet } = this;
    return random.chance(80)
      ? random.pick(['VCPU', 'MEMORY_MB', 'DISK_GB'])
      : random.pick([...fleet.classes, `CUSTOM_FUZZ_${random.between(1, 20)}`]);
  }

  private newUuid(): string {
    const digits = Array.from({ length: 12 }, () => this.random.between(0, 15).toString(16)).join('');
    return this.random.pick([`f0000000-0000-4000-8000-${digits}`, `F000000000004000A000${digits}`]);
  }
}
