import type { Candidate } from '../support/answers.js';
import type { CaseRequest } from '../support/caseRequests.js';
import { SHARING, type Forest, type ProviderRecord } from '../support/forest.js';
import type { ProviderRelations } from './providerRelations.js';
import type { CaseWorkload } from './workload.js';

interface PlacedConsumer {
  readonly member: number;
  readonly alternative: number;
  readonly consumer: number;
  readonly candidate: Candidate;
}

/** What the requests of a workload say about its own consumers, by the positions after it is placed. */
export class CaseRelations {
  constructor(
    readonly world: ProviderRelations,
    readonly forest: Forest,
    readonly workload: CaseWorkload,
  ) {}

  /** The request without its statements about consumers of the workload. */
  outer(request: CaseRequest, member: number): CaseRequest {
    const { awayFromConsumers: away = [], nearConsumers: near = [] } = request;
    const outside = (list: readonly string[]) => list.filter((uuid) => !this.#all.includes(uuid));
    return {
      ...request,
      awayFromConsumers: this.#isInner(away, member) ? outside(away) : away,
      nearConsumers: this.#isInner(near, member) ? [] : near,
    };
  }

  /** Whether the statements of a placed consumer hold beside the placed ones. */
  areMet(one: PlacedConsumer, placed: readonly PlacedConsumer[]): boolean {
    const { requests } = this.workload.members[one.member];
    const { awayFromConsumers: away = [], nearConsumers: near = [] } = requests[one.alternative];
    const own = this.#treesIn(one.candidate);
    const others = (list: readonly string[]) => list.filter((uuid) => uuid !== this.#uuidOf(one));
    const treesOf = (list: readonly string[]) => others(list).flatMap((uuid) => this.#treesOf(uuid, placed));
    const isAway = !this.#isInner(away, one.member) || treesOf(away).every((tree) => !own.includes(tree));
    const isNear = !this.#isInner(near, one.member) || others(near).length === 0;
    return isAway && (isNear || own.every((tree) => treesOf(near).includes(tree)));
  }

  /** The number of listed consumers in the trees of the consumers of a member. */
  nearby(member: number, list: readonly string[], placed: readonly PlacedConsumer[]): number {
    return placed
      .filter((one) => one.member === member)
      .flatMap((one) => {
        const isInner = this.#isInner(list, member);
        const others = isInner ? list.filter((uuid) => uuid !== this.#uuidOf(one)) : list;
        const [tree] = this.#treesIn(one.candidate);
        return others.filter((uuid) => this.#treesOf(uuid, isInner ? placed : []).includes(tree));
      }).length;
  }

  get #all(): string[] {
    return this.workload.members.flatMap(({ consumers }) => consumers ?? []);
  }

  /** A list that names of the workload only the one consumer with the request means its position before. */
  #isInner(list: readonly string[], member: number): boolean {
    const { consumers = [] } = this.workload.members[member];
    const named = list.filter((uuid) => this.#all.includes(uuid));
    return named.length > 0 && !(consumers.length === 1 && named.every((uuid) => uuid === consumers[0]));
  }

  #uuidOf({ member, consumer }: PlacedConsumer): string | undefined {
    return this.workload.members[member].consumers?.[consumer];
  }

  #treesOf(uuid: string, placed: readonly PlacedConsumer[]): string[] {
    const found = placed.find((one) => this.#uuidOf(one) === uuid);
    if (found !== undefined) return this.#treesIn(found.candidate);
    if (placed.length > 0 && this.#all.includes(uuid)) return [];
    const names = this.forest.allocations.filter(({ consumer }) => consumer === uuid);
    return this.#treesWith(
      names.map(({ provider }) => this.forest.providers.find(({ name }) => name === provider)!),
    );
  }

  #treesIn({ allocations }: Candidate): string[] {
    return this.#treesWith(this.forest.providers.filter(({ uuid }) => uuid in allocations));
  }

  #treesWith(providers: readonly ProviderRecord[]): string[] {
    const own = providers.filter(({ traits }) => !traits.includes(SHARING));
    return [...new Set(own.map((provider) => this.world.upwards(provider).at(-1)!.name))];
  }
}
