import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deleteProviders } from '../../src/store/ledger/provider/providers.js';
import { createTrait } from '../../src/store/ledger/provider/traits.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { applyProviderTrees } from '../../src/store/ledger/tree/applyTrees.js';
import type { DesiredProvider } from '../../src/store/ledger/tree/treeInput.js';
import { cases } from '../support/length.js';
import { useDatabase } from '../support/useDatabase.js';
import { allocate, codeOf, inventory, storedProviders, uniqueNames } from './support.js';

const database = useDatabase();

const OWNERS = ['one', 'two'] as const;
const HOSTS = ['a', 'b'] as const;
const CLASSES = ['VCPU', 'DISK_GB'] as const;
const TRAITS = ['CUSTOM_P1', 'CUSTOM_P2'] as const;

/** What an owner states of a provider. Parts that are undefined stay. */
interface Spec {
  readonly totals?: Readonly<Record<string, number>>;
  readonly traits?: readonly string[];
  /** The child `${host}x`; null: no child. */
  readonly child?: Spec | null;
}

type Step =
  | {
      readonly kind: 'apply';
      readonly owner: string;
      readonly takeOver: boolean;
      readonly hosts: Readonly<Record<string, Spec | 'removed' | undefined>>;
    }
  | { readonly kind: 'total'; readonly provider: string; readonly name: string; readonly total: number }
  | { readonly kind: 'trait'; readonly provider: string; readonly name: string; readonly has: boolean }
  | { readonly kind: 'use'; readonly provider: string; readonly name: string; readonly isUsed: boolean }
  | { readonly kind: 'delete'; readonly host: string };

interface ModelProvider {
  readonly totals: Map<string, number>;
  readonly traits: Set<string>;
  readonly used: Set<string>;
}

/** A second implementation of the table of owners in the guide. */
class Model {
  providers = new Map<string, ModelProvider>();
  /** The owners of providers (`a`) and parts (`a VCPU`). */
  owners = new Map<string, string>();

  copy(): Model {
    const copy = new Model();
    for (const [name, { totals, traits, used }] of this.providers)
      copy.providers.set(name, {
        totals: new Map(totals),
        traits: new Set(traits),
        used: new Set(used),
      });
    copy.owners = new Map(this.owners);
    return copy;
  }

  delete(name: string): void {
    this.providers.delete(name);
    for (const key of this.owners.keys()) if (key.split(' ')[0] === name) this.owners.delete(key);
  }

  /** Returns the differences, or null if another owner has a part. */
  apply({ owner, takeOver, hosts }: Extract<Step, { kind: 'apply' }>): string[] | null {
    const differences: string[] = [];
    let isRejected = false;
    const provider = (name: string, spec: Spec): void => {
      if (!this.providers.has(name)) {
        this.providers.set(name, { totals: new Map(), traits: new Set(), used: new Set() });
        differences.push(`SET ${name}`);
      }
      if (!this.owners.has(name)) this.owners.set(name, owner);
      const { totals, traits, used } = this.providers.get(name)!;
      const parts = [
        spec.totals && { stored: totals, stated: new Map(Object.entries(spec.totals)), all: CLASSES },
        spec.traits && {
          stored: new Map([...traits].map((each) => [each, 1])),
          stated: new Map(spec.traits.map((each) => [each, 1])),
          all: TRAITS,
        },
      ];
      for (const part of parts)
        for (const each of part?.all ?? []) {
          const key = `${name} ${each}`;
          const [before, after] = [part!.stored.get(each), part!.stated.get(each)];
          const holder = this.owners.get(key);
          const set = (value: number | undefined): void => {
            if (part!.all === TRAITS) {
              if (value === undefined) traits.delete(each);
              else traits.add(each);
            } else if (value === undefined) totals.delete(each);
            else totals.set(each, value);
          };
          if (after === undefined) {
            if (holder !== owner) continue;
            if (before !== undefined && used.has(each)) differences.push(`IN_USE ${name} ${each}`);
            else {
              if (before !== undefined) differences.push(`REMOVED ${name} ${each}`);
              set(undefined);
              this.owners.delete(key);
            }
          } else if (holder !== undefined && holder !== owner) isRejected = true;
          else if (holder === undefined && before !== undefined && before !== after && !takeOver)
            differences.push(`KEPT ${name} ${each}`);
          else {
            if (before !== after)
              differences.push(
                `${holder === undefined && before !== undefined ? 'TAKEN_OVER' : 'SET'} ${name} ${each}`,
              );
            set(after);
            this.owners.set(key, owner);
          }
        }
    };
    for (const [host, spec] of Object.entries(hosts)) {
      if (spec === undefined || spec === 'removed') continue;
      provider(host, spec);
      if (spec.child) provider(`${host}x`, spec.child);
    }
    for (const [host, spec] of Object.entries(hosts))
      if (spec === 'removed') this.remove(owner, [host, `${host}x`], differences);
      else if (spec?.child === null) this.remove(owner, [`${host}x`], differences);
    return isRejected ? null : differences;
  }

  private remove(owner: string, names: readonly string[], differences: string[]): void {
    const present = names.filter((name) => this.providers.has(name));
    if (present.length === 0) return;
    for (const name of present) if (this.owners.get(name) !== owner) this.strip(owner, name, differences);
    if (this.owners.get(present[0]) !== owner) return this.remove(owner, present.slice(1), differences);
    const isOthers = (name: string): boolean =>
      this.owners.get(name) !== owner ||
      [...this.owners].some(([key, holder]) => key.startsWith(`${name} `) && holder !== owner);
    // the first provider of the tree that must stay decides
    const reason = present.find((name) => this.providers.get(name)!.used.size > 0 || isOthers(name));
    const isUsed = reason !== undefined && this.providers.get(reason)!.used.size > 0;
    const outcome = reason === undefined ? 'REMOVED' : isUsed ? 'IN_USE' : 'KEPT';
    differences.push(`${outcome} ${present[0]}`);
    if (outcome === 'REMOVED') present.forEach((name) => this.delete(name));
  }

  /** Removes the parts that an owner has of a provider of somebody else. */
  private strip(owner: string, name: string, differences: string[]): void {
    const { totals, traits, used } = this.providers.get(name)!;
    for (const each of [...CLASSES, ...TRAITS]) {
      const key = `${name} ${each}`;
      if (this.owners.get(key) !== owner) continue;
      const isUsed = used.has(each);
      if (totals.has(each) || traits.has(each))
        differences.push(`${isUsed ? 'IN_USE' : 'REMOVED'} ${name} ${each}`);
      if (isUsed) continue;
      totals.delete(each);
      traits.delete(each);
      this.owners.delete(key);
    }
  }
}

/** Runs steps on the database and on the model. */
class Run {
  private model = new Model();
  private readonly suffixed: (name: string) => string;

  constructor() {
    this.suffixed = uniqueNames();
  }

  async step(step: Step): Promise<void> {
    if (step.kind === 'apply') await this.apply(step);
    else await this.edit(step);
    expect(await this.stored()).toEqual(this.expected());
  }

  private async apply(step: Extract<Step, { kind: 'apply' }>): Promise<void> {
    const hosts = Object.fromEntries(
      Object.entries(step.hosts).map(([host, spec]) => [
        host,
        spec === 'removed' && !this.model.providers.has(host) ? undefined : spec,
      ]),
    );
    const uuids = await this.uuids();
    const trees = Object.entries(hosts).flatMap(([host, spec]) =>
      spec === undefined || spec === 'removed' ? [] : this.desired(host, host, spec),
    );
    const remove = Object.entries(hosts).flatMap(([host, spec]) =>
      spec === 'removed' ? uuids.get(host)! : [],
    );
    const next = this.model.copy();
    const expected = next.apply({ ...step, hosts });
    const { owner, takeOver } = step;
    const found = await applyProviderTrees(database.ledger, {
      owner,
      trees,
      remove,
      takeOver,
      dryRun: false,
    }).then(
      ({ differences }) =>
        differences.map(({ outcome, provider, kind, name }) => {
          const of = provider.replace(/-\d+$/, '');
          return kind === 'PROVIDER' ? `${outcome} ${of}` : `${outcome} ${of} ${name}`;
        }),
      (error: unknown) => codeOf(error),
    );
    if (expected === null) return expect(found).toBe('OWNED_BY_ANOTHER');
    expect(typeof found === 'string' ? found : found.sort()).toEqual(expected.sort());
    this.model = next;
  }

  private desired(name: string, host: string, { totals, traits, child }: Spec): DesiredProvider {
    return {
      name: this.suffixed(name),
      ...(totals && {
        inventories: Object.entries(totals).map(([each, total]) => inventory(each, total)),
      }),
      ...(traits && { traits: [...traits] }),
      ...(child !== undefined && {
        children: child === null ? [] : [this.desired(`${host}x`, host, child)],
      }),
    };
  }

  /** Does what a person does, if it is possible. */
  private async edit(step: Exclude<Step, { kind: 'apply' }>): Promise<void> {
    const name = step.kind === 'delete' ? step.host : step.provider;
    const provider = this.model.providers.get(name);
    if (provider === undefined) return;
    const uuid = (await this.uuids()).get(name)!;
    const { totals, traits, used } = provider;
    if (step.kind === 'total') {
      if (used.has(step.name)) return;
      if (step.total === 0) totals.delete(step.name);
      else totals.set(step.name, step.total);
      const set = Array.from(totals, ([each, total]) => inventory(each, total));
      await updateProvider(database.ledger, { resourceProvider: uuid, inventories: { set } });
    } else if (step.kind === 'trait') {
      if (step.has) traits.add(step.name);
      else traits.delete(step.name);
      await updateProvider(database.ledger, { resourceProvider: uuid, traits: { set: [...traits] } });
    } else if (step.kind === 'use') {
      if (!totals.has(step.name) || used.has(step.name) === step.isUsed) return;
      if (step.isUsed) {
        used.add(step.name);
        await allocate(database, uuid, step.name, 1);
      } else {
        used.delete(step.name);
        await database.pool.query(
          `DELETE a FROM allocations a JOIN resource_providers p ON p.id = a.resource_provider_id
           JOIN resource_classes c ON c.id = a.resource_class_id WHERE p.uuid = ? AND c.name = ?`,
          [uuid, step.name],
        );
      }
    } else await this.deleteHost(step.host, uuid);
  }

  private async deleteHost(host: string, uuid: string): Promise<void> {
    const names = [host, `${host}x`].filter((name) => this.model.providers.has(name));
    if (names.some((name) => this.model.providers.get(name)!.used.size > 0)) return;
    await deleteProviders(database.ledger, { resourceProviders: [uuid], recursive: true });
    names.forEach((name) => this.model.delete(name));
  }

  private async uuids(): Promise<Map<string, string>> {
    const names = new Map(
      HOSTS.flatMap((host) => [host, `${host}x`]).map((name) => [this.suffixed(name), name]),
    );
    const rows = await storedProviders(database);
    return new Map(rows.flatMap(({ name, uuid }) => (names.has(name) ? [[names.get(name)!, uuid]] : [])));
  }

  private expected(): string[] {
    const { providers, owners } = this.model;
    return [
      ...Array.from(providers, ([name, { totals, traits }]) => [
        name,
        ...Array.from(totals, ([each, total]) => `${name} ${each}=${total}`),
        ...[...traits].map((each) => `${name} ${each}`),
      ]).flat(),
      ...Array.from(owners, ([key, owner]) => `${key} of ${owner}`),
    ].sort();
  }

  private async stored(): Promise<string[]> {
    const uuids = await this.uuids();
    if (uuids.size === 0) return [];
    const names = new Map(Array.from(uuids, ([name, uuid]) => [uuid, name]));
    const query = (sql: string) =>
      database.pool.query<{ uuid: string; text: string }[]>(sql, [[...uuids.values()]]);
    const ofProviders = 'resource_providers p ON p.id =';
    const rows = await Promise.all([
      query("SELECT uuid, '' AS text FROM resource_providers WHERE uuid IN (?)"),
      query(`SELECT p.uuid, CONCAT(' ', c.name, '=', i.total) AS text FROM inventories i JOIN ${ofProviders}
        i.resource_provider_id JOIN resource_classes c ON c.id = i.resource_class_id WHERE p.uuid IN (?)`),
      query(`SELECT p.uuid, CONCAT(' ', t.name) AS text FROM resource_provider_traits l JOIN ${ofProviders}
        l.resource_provider_id JOIN traits t ON t.id = l.trait_id WHERE p.uuid IN (?)`),
      query(`SELECT p.uuid, CONCAT(CASE o.kind WHEN 'PROVIDER' THEN '' WHEN 'TRAIT' THEN CONCAT(' ', t.name)
          ELSE CONCAT(' ', c.name) END, ' of ', o.owner) AS text FROM placement_ownerships o JOIN ${ofProviders}
        o.provider_id LEFT JOIN traits t ON t.id = o.object_id LEFT JOIN resource_classes c ON c.id = o.object_id
        WHERE p.uuid IN (?)`),
    ]);
    return rows.flat().map(({ uuid, text }) => names.get(uuid)! + text).sort(); // prettier-ignore
  }
}

const totals = fc.dictionary(fc.constantFrom(...CLASSES), fc.integer({ min: 1, max: 2 }));
const parts = {
  totals: fc.option(totals, { nil: undefined }),
  traits: fc.option(fc.subarray([...TRAITS]), { nil: undefined }),
};
const child = fc.oneof(fc.constantFrom(undefined, null), fc.record(parts));
const host = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ...parts, child }) },
  { weight: 1, arbitrary: fc.constantFrom(undefined, 'removed' as const) },
);
const owner = fc.constantFrom(...OWNERS);
const apply = fc.record({
  kind: fc.constant('apply' as const),
  owner,
  takeOver: fc.boolean(),
  hosts: fc.record({ a: host, b: host }),
});
const provider = fc.constantFrom('a', 'ax', 'b', 'bx');
const className = fc.constantFrom(...CLASSES);
const edit = fc.oneof(
  fc.record({
    kind: fc.constant('total' as const),
    provider,
    name: className,
    total: fc.integer({ min: 0, max: 2 }),
  }),
  fc.record({
    kind: fc.constant('trait' as const),
    provider,
    name: fc.constantFrom(...TRAITS),
    has: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('use' as const), provider, name: className, isUsed: fc.boolean() }),
  fc.record({ kind: fc.constant('delete' as const), host: fc.constantFrom(...HOSTS) }),
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof({ weight: 3, arbitrary: apply }, { weight: 2, arbitrary: edit }),
  { minLength: 3, maxLength: 14 },
);

test('two owners and a person leave the providers, parts and owners of a naive model, in any order', async () => {
  for (const name of TRAITS) await createTrait(database.ledger, { name });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const run = new Run();
      for (const step of all) await run.step(step);
    }),
    { numRuns: cases(500, 60) },
  );
}, 600_000);
