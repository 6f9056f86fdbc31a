import { randomUUID } from 'node:crypto';
import { migCard, profileClass, type MigCard } from '../../src/command/fleetSources/migCards.js';
import { generator } from '../bootstrap.js';
import { Client } from '../client.js';
import type { Figure } from '../figure.js';
import type { FleetDatabase } from '../fleetDatabase.js';
import { SERVER } from '../programs.js';
import { logProgress } from '../progress.js';
import { amounts, claimInput, OWNER } from '../requests.js';
import { ServerProcess } from '../serverProcess.js';
import { CARD, CARDS_OF_HOST, fillFleet, MIG_FLEET } from './fleets.js';
import {
  BALANCED,
  FirstFit,
  serveStream,
  TRACE,
  wholeCards,
  type Mix,
  type Numbers,
  type Placed,
  type Placer,
} from './stream.js';

/** Each claim is a request of its own, so that a larger fleet takes too long. */
const MAX_HOSTS = 100;
/** The share of the memory slices that is in use, and the releases after it is reached for the first time. */
const PERCENT = 50;
const RELEASES = 400;

/** Measures how many whole cards claims by `leastStranding` leave, beside first fit. */
export async function strandingFigures(
  database: FleetDatabase,
  most: number,
  seed: number,
): Promise<Figure[]> {
  const hosts = Math.min(most, MAX_HOSTS);
  const databaseUrl = await database.url('stranding');
  await fillFleet(databaseUrl, MIG_FLEET, hosts);
  const server = await ServerProcess.start({ ...SERVER, databaseUrl });
  const client = new Client(server.url);
  const card = await migCard(CARD);
  const figures: Figure[] = [];
  try {
    for (const mix of [TRACE, BALANCED]) {
      logProgress(`stranding of ${mix.name} on ${hosts} hosts`);
      figures.push(await figureOf(mix, card, hosts, seed, new Claims(client)));
    }
  } finally {
    client.close();
    await server.stop();
  }
  return figures;
}

async function figureOf(
  mix: Mix,
  card: MigCard,
  hosts: number,
  seed: number,
  claims: Claims,
): Promise<Figure> {
  const cards = hosts * CARDS_OF_HOST;
  const stream = { mix, slices: (cards * card.memorySlices * PERCENT) / 100, releases: RELEASES };
  const kept = async (placer: Placer) =>
    wholeCards(card, cards, await serveStream(card, stream, numbersOf(seed), placer));
  const [own, first] = [await kept(claims), await kept(new FirstFit(card, cards))];
  await claims.releaseAll();
  const share = ({ fit, byCount }: typeof own): number => fit / byCount;
  return {
    hosts,
    what: `whole cards that fit, ${mix.name}, leastStranding`,
    value: share(own),
    unit: 'times',
    count: 1,
    detail: `${own.fit} of ${own.byCount} by free slices; first fit ${first.fit} of ${first.byCount}`,
    checks: [{ yardstick: { name: 'first fit', value: share(first), unit: 'times' } }],
  };
}

function numbersOf(seed: number): Numbers {
  const next = generator(seed);
  return { between: (low, high) => low + Math.floor(next() * (high - low + 1)) };
}

const CLAIM = `mutation ($input: ClaimInput!) {
  claim(input: $input) {
    __typename
    ... on ClaimPayload {
      claims { allocationRequest { allocations { resourceProvider { name } resources { resourceClass { name } } } } }
    }
    ... on UserError { code message }
  }
}`;

interface ClaimAnswer {
  readonly claim: {
    readonly claims?: readonly {
      readonly allocationRequest: {
        readonly allocations: readonly {
          readonly resourceProvider: { readonly name: string };
          readonly resources: readonly { readonly resourceClass: { readonly name: string } }[];
        }[];
      };
    }[];
    readonly code?: string;
    readonly message?: string;
  };
}

/** Claims by the order `leastStranding`. */
class Claims implements Placer {
  private readonly consumers = new Map<Placed, string>();

  constructor(private readonly client: Client) {}

  async place(profile: string): Promise<Placed | null> {
    const resourceClass = profileClass(profile);
    const consumer = randomUUID();
    const request = {
      groups: [{ resources: amounts({ [resourceClass]: 1 }) }],
      orderBy: [{ leastStranding: { weights: [] } }],
    };
    const { claim } = await this.client.ask<ClaimAnswer>(CLAIM, {
      input: claimInput(request, [{ consumer, ...OWNER }]),
    });
    if (claim.code === 'NO_CANDIDATES') return null;
    if (claim.claims === undefined) throw new Error(`a claim failed: ${claim.message}`);
    const { resourceProvider } = claim.claims[0].allocationRequest.allocations.find(({ resources }) =>
      resources.some((each) => each.resourceClass.name === resourceClass),
    )!;
    const placed = placedOn(resourceProvider.name);
    this.consumers.set(placed, consumer);
    return placed;
  }

  async release(placed: Placed): Promise<void> {
    await this.client.change('deleteConsumer', { consumer: this.consumers.get(placed)! });
    this.consumers.delete(placed);
  }

  async releaseAll(): Promise<void> {
    for (const placed of [...this.consumers.keys()]) await this.release(placed);
  }
}

/** Reads the name of a partition, such as `gpu-3-gpu-5-1g.10gb-6`. */
function placedOn(name: string): Placed {
  const [, host, card, profile, position] = /^gpu-(\d+)-gpu-(\d+)-(.+)-(\d+)$/.exec(name)!;
  return { card: Number(host) * CARDS_OF_HOST + Number(card), profile, position: Number(position) };
}
