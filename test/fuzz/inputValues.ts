import {
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import type { Random } from '../oracle/random.js';
import type { Coverage } from './coverage.js';
import type { FleetValues } from './fleetValues.js';

const LONG = 'x'.repeat(5_000);
export const TEXTS = [
  '',
  ' ',
  'a ',
  'Ünïcödé 😀',
  '\u0000',
  '\ud800',
  'null',
  "'; --",
  '%',
  LONG,
  'x'.repeat(256),
];
export const NUMBERS = [0, -1, 1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53, 2 ** 53 - 1, 1.5, 1e308];
/** Values that fit no type or every type. */
export const ODD = [null, true, {}, [], [[]], '1', { __proto__: null, uuid: 1 }];

const SUFFIXES = ['_A', '_B', '_C', '_D'];

/**
 * Random values for arguments: values of the fleet if their position in the schema determines their
 * kind, otherwise random ones. Some are replaced by values from the edges of their types, or by
 * values of no type, which the server must reject.
 */
export class InputValues {
  /** The percentage of values from the edges. */
  oddity = 0;
  /** Whether each request for candidates so far has a seed. */
  isSeeded = true;

  constructor(
    private readonly random: Random,
    private readonly fleet: FleetValues,
    private readonly coverage: Coverage,
  ) {}

  /** Returns a value for a position `Type.field` or `Type.field.argument`. Undefined omits it. */
  of(type: GraphQLInputType, place: string, depth = 0): unknown {
    const { random } = this;
    if (random.chance(this.oddity)) return random.pick([...TEXTS, ...NUMBERS, ...ODD, ...NUMBERS]);
    if (isNonNullType(type)) return this.given(type.ofType, place, depth);
    if (random.chance(this.coverage.times(place) === 0 ? 10 : 50))
      return random.chance(10) ? null : undefined;
    return this.given(type, place, depth);
  }

  private given(type: GraphQLInputType, place: string, depth: number): unknown {
    const { random } = this;
    if (isNonNullType(type)) return this.given(type.ofType, place, depth);
    if (isListType(type)) return this.list(type.ofType, place, depth);
    if (isInputObjectType(type)) return this.object(type, depth + 1);
    if (isEnumType(type)) return random.pick(type.getValues()).name;
    switch (type.name) {
      case 'Boolean':
        return random.chance(50);
      case 'Float':
        return random.pick([1, 1, 0.5, 1.5, 16]);
      case 'Int':
      case 'SafeInt':
        return this.number(place);
      default:
        return this.text(place);
    }
  }

  private list(type: GraphQLInputType, place: string, depth: number): unknown[] {
    const { random } = this;
    const isLong = random.chance(this.oddity / 2);
    const most = /children$/.test(place) && depth > 4 ? 0 : isLong ? 60 : 2;
    const least =
      /groups|resources|consumers|members|(ClaimMemberInput.requests|TopologyLevelInput.aggregates)$/.test(
        place,
      ) && !random.chance(5)
        ? 1
        : 0;
    const isOfSuffixes = /isolate|except|SubtreeAffinityInput\.groups/.test(place);
    if (isOfSuffixes) return random.sample(SUFFIXES, random.between(least, 2));
    return Array.from({ length: random.between(least, Math.max(most, least)) }, () => {
      const value = random.chance(this.oddity / 2) ? null : this.given(type, place, depth);
      return value;
    });
  }

  private object(type: GraphQLInputObjectType, depth: number): Record<string, unknown> {
    const { random } = this;
    let fields = Object.values(type.getFields());
    // hardly any aggregate has a name, and no text is a claim token
    if (type.isOneOf && !random.chance(this.oddity / 4))
      fields = [
        /^(AggregateRef|AllocationsInput)$/.test(type.name) && random.chance(90)
          ? fields[0]
          : random.pick(fields),
      ];
    const value: Record<string, unknown> = {};
    for (const { name, type: of, defaultValue } of fields) {
      const place = `${type.name}.${name}`;
      const isLeftOut = defaultValue !== undefined && this.coverage.times(place) > 0 && random.chance(60);
      const given = isLeftOut
        ? undefined
        : type.isOneOf
          ? this.given(of, place, depth)
          : this.of(of, place, depth);
      if (given === undefined) continue;
      this.coverage.use(place);
      value[name] = given;
    }
    return this.coherent(type.name, value);
  }

  /** Mostly makes related values consistent that the server would otherwise reject. */
  private coherent(type: string, value: Record<string, unknown>): Record<string, unknown> {
    const { random, fleet } = this;
    if (type === 'AllocationCandidatesInput') {
      if (value.seed === undefined && random.chance(80)) value.seed = this.number('seed');
      this.isSeeded &&= typeof value.seed === 'number';
    }
    if (random.chance(5 + this.oddity)) return value;
    if (type === 'AllocationCandidatesInput') {
      const groups = (Array.isArray(value.groups) ? value.groups : []) as Record<string, unknown>[];
      groups.forEach((group, index) => {
        if (typeof group === 'object' && group !== null)
          group.suffix = ['', ...SUFFIXES][index] ?? `_${index}`;
      });
      const known = groups.map((group) => group?.suffix).filter((suffix) => suffix !== '');
      const among = (list: unknown): unknown =>
        Array.isArray(list) ? list.filter((each) => known.includes(each)) : list;
      if ('isolate' in value) value.isolate = value.groupPolicy === 'ISOLATE' ? [] : among(value.isolate);
      if (Array.isArray(value.sameSubtree) && known.length > 0)
        value.sameSubtree = [{ groups: [known[0]], except: known.slice(1, 2) }].slice(
          0,
          value.sameSubtree.length,
        );
      else delete value.sameSubtree;
      const asked = groups.flatMap((group) => (group?.resources ?? []) as { resourceClass?: string }[]);
      const [resourceClass] = asked.flatMap((each) => each?.resourceClass ?? []);
      if (Array.isArray(value.orderBy))
        value.orderBy = value.orderBy.slice(0, 1).map((term: Record<string, object> | null) => {
          if (term?.fewestProviders !== undefined) return { fewestProviders: true };
          return term?.freeShare !== undefined && resourceClass !== undefined
            ? { freeShare: { ...term.freeShare, resourceClass } }
            : term;
        });
    }
    if (/Edit$/.test(type) && value.set != null)
      for (const other of ['add', 'patch', 'remove']) delete value[other];
    if ('generation' in value && 'resourceProvider' in value) {
      const { uuid, generation } = random.pick(fleet.providers);
      Object.assign(value, { resourceProvider: { uuid }, generation });
    }
    if ('generation' in value && 'consumer' in value) {
      const { uuid, generation } = random.pick(fleet.consumers);
      Object.assign(value, random.chance(60) ? { consumer: uuid, generation } : { generation: null });
    }
    if (type === 'ClaimInput') this.joinMembers(value);
    if (type === 'ClaimMemberInput' && Array.isArray(value.requests))
      value.requests = value.requests.slice(0, random.pick([1, 1, 2]));
    if (type === 'TopologyRuleInput' && value.rule !== 'SPREAD') delete value.maxSkew;
    if (type === 'TopologyLevelInput' && 'tree' in value) value.tree = true;
    if (type === 'InventoryInput' && random.chance(80)) delete value.maxUnit; // it could be below minUnit
    return value;
  }

  /** Gives the members of a claim different names, and its rules names of members. */
  private joinMembers(value: Record<string, unknown>): void {
    const recordsIn = (list: unknown): Record<string, unknown>[] =>
      (Array.isArray(list) ? (list as unknown[]) : []).filter(
        (each): each is Record<string, unknown> => typeof each === 'object' && each !== null,
      );
    const members = recordsIn(value.members);
    members.forEach((member, at) => (member.name = `fuzz${at}`));
    const names = members.map(({ name }) => name);
    for (const rule of recordsIn(value.topology)) rule.members = names.slice(0, this.random.between(1, 2));
  }

  private number(place: string): number {
    const { random } = this;
    const name = place.split('.').at(-1)!;
    if (name === 'seed') return random.between(-5, 1_000_000);
    if (name === 'generation') return random.between(0, 5);
    if (name === 'first' || name === 'last')
      return random.pick([0, 1, 2, 3, 5, 5, 10, random.between(0, 1_000)]);
    if (name === 'limit') return random.pick([1, 2, 3, 5, 10, 100]);
    if (name === 'upTo') return random.pick([1, 5, 100]);
    if (name === 'plans') return random.pick([1, 1, 2, 3]);
    if (name === 'maxSkew') return random.pick([1, 2, 5]);
    if (name === 'total') return random.pick([1, 8, 100, 1_000]);
    return random.pick([1, 1, 1, 2, 4]);
  }

  private text(place: string): string {
    const { random, fleet } = this;
    const name = place.split('.').at(-1)!;
    const pick = (list: readonly string[], other: () => string): string =>
      list.length > 0 && !random.chance(5) ? random.pick(list) : other();
    const custom = `CUSTOM_FUZZ_${random.between(1, 20)}`;
    const provider = random.pick(fleet.providers);
    if (/^Create(Trait|ResourceClass)|^Delete(Trait|ResourceClass)Input/.test(place)) return custom;
    if (
      /raits|^TraitFilter|\.trait\.name|TopologyLevelInput.trait|TraitPreferenceInput|startsWith/.test(place)
    )
      return pick(fleet.traits, () => custom);
    if (/resourceClass$|canSplit|^InventoriesEdit.remove|\.resourceClass\./.test(place))
      return this.className(custom);
    if (place === 'AggregateRef.uuid') return pick(fleet.aggregates, () => this.uuid());
    if (/uuid$/.test(place) && /onsumer/.test(place))
      return pick(
        fleet.consumers.map(({ uuid }) => uuid),
        () => this.uuid(),
      );
    if (name === 'consumer') return random.chance(50) ? this.uuid() : random.pick(fleet.consumers).uuid;
    if (/^(CreateResourceProvider|DesiredProvider|UpdateResourceProvider)Input\.name/.test(place))
      return `fuzz-${random.between(1, 100_000)}`;
    if (/^(CreateResourceProvider|DesiredProvider)Input\.uuid/.test(place)) return this.uuid();
    if (name === 'name') return random.chance(5) ? custom : provider.name;
    if (/projectId/.test(place)) return pick(fleet.projects, () => 'fuzz');
    if (/userId/.test(place)) return pick(fleet.users, () => 'fuzz');
    if (/consumerType|(Consumer|KeepOldAs)\w*Input\.type$/.test(place))
      return pick([...fleet.types, 'unknown', 'all'], () => 'FUZZ');
    if (/after|before|since/.test(place)) return pick(fleet.cursors, () => 'cursor');
    if (/\.ids?$/.test(place))
      return pick(fleet.ids, () => Buffer.from(`ResourceProvider:${provider.uuid}`).toString('base64'));
    if (name === 'suffix') return random.pick(['', ...SUFFIXES]);
    return provider.uuid;
  }

  /** Returns a uuid that no object has. The same seed gives the same uuid. */
  private uuid(): string {
    const digits = Array.from({ length: 12 }, () => this.random.between(0, 15).toString(16)).join('');
    return `f0000000-0000-4000-8000-${digits}`;
  }

  private className(custom: string): string {
    const { random, fleet } = this;
    return random.chance(75)
      ? random.pick(['VCPU', 'MEMORY_MB', 'DISK_GB', 'SRIOV_NET_VF', 'CUSTOM_DEVICE'])
      : random.pick([...fleet.classes, custom]);
  }
}
