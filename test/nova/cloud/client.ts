import { setTimeout as sleep } from 'node:timers/promises';

const TOKEN = 'admin';
const TIMEOUT = 600_000;

export interface Server {
  readonly id: string;
  readonly status: string;
  readonly 'OS-EXT-SRV-ATTR:host': string | null;
  readonly fault?: { readonly message: string };
}

/** Requests to a service of OpenStack. */
export class Client {
  constructor(
    private readonly url: string,
    private readonly version: string,
  ) {}

  /** Returns the JSON of a success; null if there is none. */
  async send<T>(method: string, path: string, body?: object): Promise<T> {
    const { status, text } = await this.ask(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 1_000)}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  async ask(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        'x-auth-token': TOKEN,
        'openstack-api-version': this.version,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  }
}

/** Nova's API, as far as the test needs it. */
export class Nova extends Client {
  constructor(url: string) {
    super(url, 'compute 2.90');
  }

  async createFlavor(name: string, vcpus: number, ram: number, disk: number): Promise<string> {
    const flavor = { name, vcpus, ram, disk };
    return (await this.send<{ flavor: { id: string } }>('POST', '/flavors', { flavor })).flavor.id;
  }

  async boot(name: string, flavorRef: string, imageRef: string): Promise<string> {
    const server = { name, flavorRef, imageRef, networks: 'none' };
    return (await this.send<{ server: { id: string } }>('POST', '/servers', { server })).server.id;
  }

  async act(server: string, action: object): Promise<void> {
    await this.send('POST', `/servers/${server}/action`, action);
  }

  async servers(): Promise<Server[]> {
    return (await this.send<{ servers: Server[] }>('GET', '/servers/detail?limit=1000')).servers;
  }

  /** Also has the reason of a failure, which lists lack where a server found no host. */
  async server(id: string): Promise<Server> {
    return (await this.send<{ server: Server }>('GET', `/servers/${id}`)).server;
  }

  /** Waits until each of these servers has the status, and returns them. @throws Error if one gets into ERROR first */
  async until(ids: readonly string[], status: string): Promise<Server[]> {
    for (const deadline = Date.now() + TIMEOUT; ; await sleep(500)) {
      const all = (await this.servers()).filter(({ id }) => ids.includes(id));
      const isOver = status === 'DELETED' ? all.length === 0 : all.length === ids.length;
      if (isOver && all.every((server) => server.status === status)) return all;
      const failed = all.find((server) => server.status === 'ERROR' && status !== 'ERROR');
      if (failed) throw new Error(`server ${failed.id} is in ERROR: ${failed.fault?.message}`);
      if (Date.now() > deadline)
        throw new Error(`not all are ${status}: ${all.map((server) => server.status).join(' ')}`);
    }
  }

  async deleteAll(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.send('DELETE', `/servers/${id}`)));
    await this.until(ids, 'DELETED');
  }

  async forceDown(host: string, isDown: boolean): Promise<void> {
    const id = await this.service(host);
    await this.send('PUT', `/os-services/${id}`, { forced_down: isDown });
  }

  private async service(host: string): Promise<string> {
    const path = `/os-services?binary=nova-compute&host=${host}`;
    return (await this.send<{ services: { id: string }[] }>('GET', path)).services[0].id;
  }
}
