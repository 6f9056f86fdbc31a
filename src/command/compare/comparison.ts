import { setTimeout as sleep } from 'node:timers/promises';
import { digestOf, type Entry, type Json } from './answerEntries.js';
import { OK, type Answer, type RestServer } from './restServer.js';

/** A value that differs between the answers to a read. An absent value is undefined. */
export interface Difference {
  readonly read: string;
  /** The path of the value in the answers. */
  readonly at: string;
  readonly here?: Json;
  readonly there?: Json;
}

export interface CompareOptions {
  /** Called with each entry of this server's first answer. */
  readonly onEntry?: (entry: Entry) => void;
  /** The maximum length of a list in the answers. If it is reached, each server may choose other elements. */
  readonly cut?: { readonly member: string; readonly limit: number };
}

/** The time until a read is repeated (ms): a server may show writes of other programs within two seconds. */
const REPEAT_MS = 3_000;
/** The maximum number of entries of one answer that are compared again and reported. */
const MAX_ENTRIES = 100;

const SIDES = ['here', 'there'] as const;
type Side = (typeof SIDES)[number];

/** Sends equal reads to two servers. */
export class Comparison {
  /** The number of reads so far, without repetitions. */
  reads = 0;

  constructor(private readonly servers: Readonly<Record<Side, RestServer>>) {}

  /** Returns the differences that a repetition of the read shows, too. Others are concurrent changes. */
  async differences(read: string, options: CompareOptions = {}): Promise<Difference[]> {
    const first = new Set((await this.differingKeys(read, options)).slice(0, MAX_ENTRIES));
    if (first.size === 0) return [];
    await sleep(REPEAT_MS);
    const again = await this.compared(read, first);
    const lasting = keysOf(again, options).filter((key) => first.has(key));
    return lasting.flatMap((key) => {
      const { path, here, there } = again.differing.get(key)!;
      return valuesThatDiffer(`GET ${read}`, path, here, there);
    });
  }

  /** Returns the keys of the entries that differ. Holds digests of entries, and none of equal ones. */
  async differingKeys(read: string, options: CompareOptions = {}): Promise<string[]> {
    this.reads++;
    return keysOf(await this.compared(read, new Set(), options.onEntry), options);
  }

  /** @param kept the keys of the entries whose values are kept */
  private async compared(
    read: string,
    kept: ReadonlySet<string>,
    onEntry?: (entry: Entry) => void,
  ): Promise<Pairs> {
    const answers = await Promise.all(SIDES.map((side) => this.servers[side].get(read)));
    const pairs = new Pairs(kept);
    const collect = async ({ entries }: Answer, side: Side): Promise<void> => {
      for await (const entry of entries) {
        if (side === 'here') onEntry?.(entry);
        pairs.add(entry, side);
      }
    };
    await Promise.all(answers.map((answer, at) => collect(answer, SIDES[at])));
    const [here, there] = answers.map(({ status }) => status);
    if (here === OK && there === OK) return pairs;
    const failed = new Pairs(new Set(['status']));
    // a failure of both is no answer to compare
    if (here !== there || here >= 500) failed.differing.set('status', { path: ['status'], here, there });
    return failed;
  }
}

interface Pair {
  readonly path: readonly string[];
  readonly here?: Json;
  readonly there?: Json;
}

/** Pairs the entries of two answers while they arrive. */
class Pairs {
  /** The entries without an equal one so far, by their paths. Values are digests unless they are kept. */
  readonly differing = new Map<string, Pair>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly kept: ReadonlySet<string>) {}

  add({ path, value }: Entry, side: Side): void {
    const list = `${side} ${path[0]}`;
    this.counts.set(list, (this.counts.get(list) ?? 0) + 1);
    const key = path.join('.');
    const pair = { path, ...this.differing.get(key), [side]: this.kept.has(key) ? value : digestOf(value) };
    const isEqual = JSON.stringify(pair.here) === JSON.stringify(pair.there);
    if (isEqual) this.differing.delete(key);
    else this.differing.set(key, pair);
  }

  /** Returns the number of elements of a list. */
  countOf(member: string, side: Side): number {
    return (this.counts.get(`${side} ${member}`) ?? 1) - 1; // the list itself is an entry
  }
}

/** Returns the keys that differ. If a list was cut, entries that only one answer has do not count. */
function keysOf(pairs: Pairs, { cut }: CompareOptions): string[] {
  const isCut = cut !== undefined && SIDES.some((side) => pairs.countOf(cut.member, side) >= cut.limit);
  const all = [...pairs.differing];
  const counted = isCut
    ? all.filter(([, { here, there }]) => here !== undefined && there !== undefined)
    : all;
  if (isCut) {
    const [here, there] = SIDES.map((side) => pairs.countOf(cut.member, side));
    const path = [cut.member, 'length'];
    if (here !== there) pairs.differing.set(path.join('.'), { path, here, there });
    if (here !== there) return [...counted.map(([key]) => key), path.join('.')];
  }
  return counted.map(([key]) => key);
}

/** Returns the innermost values that differ. */
function valuesThatDiffer(read: string, path: readonly string[], here?: Json, there?: Json): Difference[] {
  if (JSON.stringify(here) === JSON.stringify(there)) return [];
  if (!isObject(here) || !isObject(there)) return [{ read, at: path.join('.'), here, there }];
  const names = new Set([...Object.keys(here), ...Object.keys(there)]);
  return [...names].flatMap((name) => valuesThatDiffer(read, [...path, name], here[name], there[name]));
}

function isObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
