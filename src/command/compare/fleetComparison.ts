import * as api from '../../generated/client/operations.js';
import type { Client } from '../client.js';
import type { Entry, Json } from './answerEntries.js';
import { CandidateSample, factsOf } from './candidateSample.js';
import type { Comparison, Difference } from './comparison.js';

/** The numbers of reads and of providers at the same time. Each read goes to both servers. */
const CONCURRENCY = 8;
const PROVIDERS_AT_ONCE = 2;
const PROVIDERS = '/resource_providers';
/** The limit of each candidate request. */
const CANDIDATES = 1_000;

interface ListedProvider {
  readonly uuid: string;
  readonly root: string;
}

/** Compares the reads of a whole fleet. */
export class FleetComparison {
  private readonly sample: CandidateSample;

  constructor(
    private readonly client: Client,
    private readonly comparison: Comparison,
    private readonly sizes: {
      readonly providers: number;
      readonly candidates: number;
      readonly version: number;
    },
  ) {
    this.sample = new CandidateSample(sizes.candidates);
  }

  async *differences(): AsyncGenerator<readonly Difference[]> {
    const { version, providers: count } = this.sizes;
    yield* this.each([
      ...(version >= CLASSES ? ['/resource_classes'] : []),
      ...(version >= TRAITS ? ['/traits'] : []),
    ]);
    const providers: ListedProvider[] = [];
    const onEntry = ({ path, value }: Entry): void => {
      if (path.length === 2) providers.push({ uuid: path[1], root: rootOf(value) ?? path[1] });
    };
    // a provider that differs is compared on its own, because the list of a large fleet takes long
    const keys = await this.comparison.differingKeys(PROVIDERS, { onEntry });
    yield* this.each(keys.map(readOfProvider));
    yield* inBatches(sampled(providers, count), (provider) => this.ofProvider(provider), PROVIDERS_AT_ONCE);
    if (version >= USAGES) yield* this.ofProjects();
    yield* inBatches(this.sample.queries(version), (query) => {
      const cut = { member: 'allocation_requests', limit: CANDIDATES };
      return this.comparison.differences(`/allocation_candidates?${query}&limit=${CANDIDATES}`, { cut });
    });
  }

  private each(reads: readonly string[]): AsyncGenerator<readonly Difference[]> {
    return inBatches(reads, (read) => this.comparison.differences(read));
  }

  /** Compares the parts of a provider, and one of its consumers. */
  private async ofProvider({ uuid, root }: ListedProvider): Promise<readonly Difference[]> {
    const entries: Entry[] = [];
    let consumer: string | undefined;
    const parts = PARTS.filter(([, since]) => since <= this.sizes.version).map(([part]) => part);
    const found = await Promise.all(
      parts.map((part) => {
        const onEntry = (entry: Entry): void => {
          if (part !== 'allocations') entries.push(entry);
          else if (entry.path[0] === part) consumer ??= entry.path[1];
        };
        return this.comparison.differences(`${PROVIDERS}/${uuid}/${part}`, { onEntry });
      }),
    );
    if (consumer !== undefined) found.push(await this.comparison.differences(`/allocations/${consumer}`));
    this.sample.add(factsOf(root, entries));
    return found.flat();
  }

  private async *ofProjects(): AsyncGenerator<readonly Difference[]> {
    const list = { document: api.ListProjectsDocument, variables: {} };
    const pages = this.client.pages({ ...list, listOf: ({ projects }: api.ListProjectsQuery) => projects });
    for await (const { rows } of pages)
      yield* this.each(rows.map(({ projectId }) => `/usages?project_id=${encodeURIComponent(projectId)}`));
  }
}

/** The first minor versions of reads. */
const CLASSES = 2;
const TRAITS = 6;
const USAGES = 9;
const PARTS = [
  ['inventories', 0],
  ['usages', 0],
  ['aggregates', 1],
  ['traits', TRAITS],
  ['allocations', 0],
] as const;

/** Returns the read that shows an entry of the list of providers alone. */
function readOfProvider(key: string): string {
  const [, uuid] = key.split('.');
  return uuid === undefined ? PROVIDERS : `${PROVIDERS}?uuid=${uuid}`; // without a uuid, the status differs
}

function rootOf(value: Json): string | undefined {
  return (value as { readonly root_provider_uuid?: string }).root_provider_uuid;
}

/** Returns a number of elements, spread evenly. */
function sampled<T>(all: readonly T[], count: number): readonly T[] {
  if (count >= all.length) return all;
  return Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)]);
}

async function* inBatches<T>(
  all: readonly T[],
  work: (one: T) => Promise<readonly Difference[]>,
  size = CONCURRENCY,
): AsyncGenerator<readonly Difference[]> {
  for (let at = 0; at < all.length; at += size) {
    const found = await Promise.all(all.slice(at, at + size).map(work));
    yield found.flat();
  }
}
