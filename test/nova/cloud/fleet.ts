import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client.js';

interface Inventory {
  readonly total: number;
  readonly reserved: number;
  readonly allocation_ratio: number;
}

const PERIOD = 250;

/** What a Placement at an address says about the hosts. */
export class Fleet {
  private readonly client: Client;
  /** Each time that a provider was found above its capacity. */
  readonly exceeded: string[] = [];
  private isWatched = false;
  private watching: Promise<void> = Promise.resolve();

  constructor(url: string) {
    this.client = new Client(url, 'placement 1.39');
  }

  /** Returns the used amount of each class that is in use, over all providers. */
  async used(): Promise<Record<string, number>> {
    const sum: Record<string, number> = {};
    for (const uuid of await this.providers())
      for (const [name, used] of Object.entries(await this.usages(uuid)))
        if (used > 0) sum[name] = (sum[name] ?? 0) + used;
    return sum;
  }

  async consumers(): Promise<string[]> {
    const found = new Set<string>();
    for (const uuid of await this.providers()) {
      const path = `/resource_providers/${uuid}/allocations`;
      const { allocations } = await this.client.send<{ allocations: object }>('GET', path);
      for (const consumer of Object.keys(allocations)) found.add(consumer);
    }
    return [...found].sort();
  }

  async providers(): Promise<string[]> {
    const path = '/resource_providers';
    const answer = await this.client.send<{ resource_providers: { uuid: string }[] }>('GET', path);
    return answer.resource_providers.map(({ uuid }) => uuid);
  }

  /** Looks for providers above their capacity until `unwatch`. */
  watch(): void {
    this.isWatched = true;
    this.watching = (async () => {
      for (; this.isWatched; await sleep(PERIOD)) await this.look();
    })();
  }

  async unwatch(): Promise<void> {
    this.isWatched = false;
    await this.watching;
  }

  /** Sends claims of one unit at once, each of a consumer of its own. Returns how many were accepted. */
  async race(provider: string, resourceClass: string, claims: number): Promise<number> {
    const body = {
      allocations: { [provider]: { resources: { [resourceClass]: 1 } } },
      project_id: 'race',
      user_id: 'race',
      consumer_generation: null,
      consumer_type: 'RACE',
    };
    const answers = await Promise.all(
      Array.from({ length: claims }, () =>
        this.client.ask('PUT', `/allocations/${crypto.randomUUID()}`, body),
      ),
    );
    return answers.filter(({ status }) => status === 204).length;
  }

  async createProvider(uuid: string, resourceClass: string, total: number): Promise<void> {
    await this.client.send('PUT', `/resource_classes/${resourceClass}`);
    await this.client.send('POST', '/resource_providers', { uuid, name: uuid });
    const inventories = { [resourceClass]: { total } };
    await this.client.send('PUT', `/resource_providers/${uuid}/inventories`, {
      inventories,
      resource_provider_generation: 0,
    });
  }

  private async look(): Promise<void> {
    for (const uuid of await this.providers()) {
      const path = `/resource_providers/${uuid}/inventories`;
      const { inventories } = await this.client.send<{ inventories: Record<string, Inventory> }>('GET', path);
      for (const [name, used] of Object.entries(await this.usages(uuid))) {
        const { total, reserved, allocation_ratio: ratio } = inventories[name] ?? NOTHING;
        if (used > (total - reserved) * ratio) this.exceeded.push(`${uuid} ${name}: ${used} of ${total}`);
      }
    }
  }

  private async usages(uuid: string): Promise<Record<string, number>> {
    const path = `/resource_providers/${uuid}/usages`;
    return (await this.client.send<{ usages: Record<string, number> }>('GET', path)).usages;
  }
}

const NOTHING: Inventory = { total: 0, reserved: 0, allocation_ratio: 1 };
