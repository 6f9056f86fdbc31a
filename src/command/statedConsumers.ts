import * as api from '../generated/client/operations.js';
import type { Client } from './client.js';
import { byProvider } from './consumerParts.js';
import { sortedAmounts, statedParts } from './differences.js';
import { EXIT, Failure, untilNoConflict } from './failure.js';
import { slices } from './slices.js';

/** A change of the allocations of a consumer from a provider, in the form of a difference of a part. */
export interface ConsumerDifference {
  /** The name of the provider. */
  readonly provider: string;
  readonly part: 'CONSUMER';
  /** The uuid of the consumer. */
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly outcome: 'SET' | 'REMOVED';
}

/** The types of the consumers that are released when the source no longer has them. */
const RELEASED_TYPES = ['POD', 'RESOURCE_CLAIM'];

/** The maximum number of consumers of one read, and of one write. */
const BATCH_READ = 1_000;
const BATCH_WRITE = 200;

type TreeDifference = api.ApplyTreesDifferenceFragment;
type Stated = api.ConsumerAllocationsInput;

/** What is written for a consumer, and how that differs from what is stored. */
interface Change {
  readonly input: Stated;
  readonly differences: readonly ConsumerDifference[];
}

/** The consumers that a fleet states, and those on its trees that it no longer states. */
export class StatedConsumers {
  private constructor(
    private readonly client: Client,
    /** By uuid, as it is stated. */
    private readonly stated: ReadonlyMap<string, Stated>,
    private readonly ended: ReadonlySet<string>,
  ) {}

  /** @param releases the owner of the hosts whose pods and claims are released if they are not stated; null: none are */
  static async of(
    client: Client,
    stated: readonly Stated[],
    releases: { readonly owner: string; readonly all: boolean } | null,
  ): Promise<StatedConsumers> {
    checkDistinct(stated);
    const ended = releases === null ? [] : await unstatedConsumers(client, stated, releases.owner);
    if (ended.length > 0 && stated.length === 0 && !releases?.all)
      throw new Failure(
        EXIT.refused,
        `there is no pod and no claim, and ${ended.length} are stored: --allow-removal releases them`,
      );
    return new StatedConsumers(
      client,
      new Map(stated.map((input) => [input.consumer, input])),
      new Set(ended),
    );
  }

  /** Releases what has ended, and writes the consumers whose allocations differ, unless it is a dry run. */
  async run(dryRun: boolean): Promise<ConsumerDifference[]> {
    const differences: ConsumerDifference[] = [];
    for (const some of slices([...this.ended, ...this.stated.keys()], BATCH_READ))
      for (const changes of slices(await this.changesOf(some), BATCH_WRITE)) {
        const written = dryRun ? changes : await this.write(changes);
        differences.push(...written.flatMap((change) => change.differences));
      }
    return differences;
  }

  /** Writes changes. After a conflict with a concurrent writer, it compares again. */
  private async write(changes: readonly Change[]): Promise<readonly Change[]> {
    let isFirst = true;
    return untilNoConflict(async () => {
      const uuids = changes.map(({ input }) => input.consumer);
      const now = isFirst ? changes : await this.changesOf(uuids);
      isFirst = false;
      const consumers = now.map(({ input }) => input);
      if (consumers.length > 0)
        await this.client.mutate(api.SetAllocationsDocument, { input: { consumers } });
      return now;
    });
  }

  /** Returns the differences of removed roots in a dry run as they are after the release of what has ended. */
  async withoutReleased(differences: readonly TreeDifference[]): Promise<TreeDifference[]> {
    const after: TreeDifference[] = [];
    for (const each of differences) {
      const { provider: name, outcome } = each;
      const isInUse = outcome === 'IN_USE' && this.ended.size > 0;
      const left = isInUse ? await listConsumers(this.client, { inTree: { name } }) : [];
      const isReleased = isInUse && left.every(({ uuid }) => this.ended.has(uuid));
      after.push(isReleased ? { ...each, outcome: 'REMOVED', before: name } : each);
    }
    return after;
  }

  /** Compares consumers with the stored ones. */
  private async changesOf(uuids: readonly string[]): Promise<Change[]> {
    const stored = await listConsumers(this.client, { uuidIn: [...uuids] });
    const byUuid = new Map(stored.map((each) => [each.uuid, each]));
    return uuids.flatMap((uuid) => {
      const before = byUuid.get(uuid);
      const input = this.stated.get(uuid) ?? (before && releaseOf(before));
      if (input === undefined) return [];
      const differences = differencesOf(input, before);
      if (differences.length === 0) return [];
      return { input: { ...input, generation: before?.generation }, differences };
    });
  }
}

/** Rejects a consumer that is stated twice. */
function checkDistinct(stated: readonly Stated[]): void {
  const uuids = new Set<string>();
  for (const { consumer } of stated) {
    if (uuids.has(consumer)) throw Failure.usage(`the consumer ${consumer} is there twice`);
    uuids.add(consumer);
  }
}

function listConsumers(client: Client, filter: api.ConsumerFilter): Promise<api.ConsumerFieldsFragment[]> {
  return client.all({
    document: api.ListConsumersDocument,
    variables: { filter },
    listOf: ({ consumers }: api.ListConsumersQuery) => consumers,
  });
}

/** Returns the uuids of the pods and claims with allocations on hosts of the owner that are not stated. */
async function unstatedConsumers(
  client: Client,
  stated: readonly Stated[],
  owner: string,
): Promise<string[]> {
  const owned = await client.all({
    document: api.OwnedRootsDocument,
    variables: { owner },
    listOf: ({ fleetOwners }: api.OwnedRootsQuery) => fleetOwners?.at(0)?.resourceProviders,
  });
  const roots = new Set(owned.map(({ uuid }) => uuid));
  const uuids = new Set(stated.map(({ consumer }) => consumer));
  const unstated: string[] = [];
  for (const type of roots.size === 0 ? [] : RELEASED_TYPES) {
    const all = await client.all({
      document: api.ConsumersOfTypeDocument,
      variables: { type },
      listOf: ({ consumers }: api.ConsumersOfTypeQuery) => consumers,
    });
    for (const { uuid } of all) if (!uuids.has(uuid)) unstated.push(uuid);
  }
  const onTrees: string[] = [];
  for (const uuidIn of slices(unstated, BATCH_READ)) {
    const some = await client.all({
      document: api.TreesOfConsumersDocument,
      variables: { uuidIn },
      listOf: ({ consumers }: api.TreesOfConsumersQuery) => consumers,
    });
    for (const { uuid, allocations } of some)
      if (allocations.some(({ resourceProvider: of }) => of && roots.has(of.root.uuid))) onTrees.push(uuid);
  }
  return onTrees;
}

/** Another program may have stored a consumer without a project and a user, which the input requires. */
const UNKNOWN = 'unknown';

export const releaseOf = ({ uuid, projectId, userId }: api.ConsumerFieldsFragment): Stated => ({
  consumer: uuid,
  projectId: projectId ?? UNKNOWN,
  userId: userId ?? UNKNOWN,
  allocations: { providers: [] },
});

/** Returns a difference for each provider from which the consumer uses other amounts. */
function differencesOf(
  { consumer, allocations: { providers } }: Stated,
  stored: api.ConsumerFieldsFragment | undefined,
): ConsumerDifference[] {
  const old = stored ? byProvider(stored) : [];
  const byName = (parts: ReturnType<typeof statedParts>) =>
    new Map(parts.map(({ name, resources }) => [name, sortedAmounts(resources)]));
  const before = byName(old);
  const after = byName(
    providers == null ? [{ name: 'by a token', resources: [] }] : statedParts(providers, old),
  );
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((provider) => {
    const [was, is] = [before.get(provider) ?? null, after.get(provider) ?? null];
    if (was === is) return [];
    const outcome = is === null ? 'REMOVED' : 'SET';
    return { provider, part: 'CONSUMER', name: consumer, before: was, after: is, outcome };
  });
}
