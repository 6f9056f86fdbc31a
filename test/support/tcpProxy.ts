import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { databaseAddress } from '../../src/database/address.js';

/** One connection of a client through the proxy, and the one behind it. */
export class ProxiedConnection {
  /** How many pieces of data the client has sent. */
  requests = 0;
  private isSilent = false;
  private answers = Promise.resolve();

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    private readonly proxy: TcpProxy,
  ) {
    client.setNoDelay(true).on('data', (data) => {
      this.requests++;
      proxy.onRequest?.(data, this);
      if (!this.isSilent) server.write(data);
    });
    server.setNoDelay(true).on('data', (data) => this.answer(data));
    for (const [end, other] of [
      [client, server],
      [server, client],
    ]) {
      end.on('error', () => undefined);
      end.on('close', () => (this.isSilent && other === client ? undefined : other.destroy()));
    }
    client.on('close', () => proxy.connections.delete(this));
  }

  /** Ends the connection on both sides. */
  cut(): void {
    this.client.destroy();
    this.server.destroy();
  }

  /** Both ends stay, and nothing gets from one to the other any more. */
  silence(): void {
    this.isSilent = true;
  }

  /** What the client has sent still arrives; nothing comes back. */
  swallowAnswers(): void {
    this.answer = () => undefined;
  }

  /** The client is sent an error of the server's instead of its next answer, which is lost. */
  replaceAnswer(number: number): void {
    this.answer = () => {
      Reflect.deleteProperty(this, 'answer');
      const body = Buffer.from(`\xff\0\0#HY000as a cluster says it`, 'latin1');
      body.writeUInt16LE(number, 1);
      this.client.write(Buffer.concat([Buffer.from([body.length, 0, 0, 1]), body]));
    };
  }

  private answer(data: Buffer): void {
    const { delay, bytesPerSecond } = this.proxy;
    const wait = delay + (1000 * data.length) / bytesPerSecond;
    if (wait > 0) this.answers = this.answers.then(() => new Promise((resolve) => setTimeout(resolve, wait)));
    void this.answers.then(() => {
      if (!this.isSilent) this.client.write(data);
    });
  }
}

/** A network between a client and a database server, with the faults that networks have. */
export class TcpProxy {
  readonly connections = new Set<ProxiedConnection>();
  /** By how much each piece of an answer comes later (ms). */
  delay = 0;
  bytesPerSecond = Infinity;
  /** Whether new connections are taken; otherwise they are closed at once. */
  isUp = true;
  /** Called with each piece that a client sends, before it is passed on. */
  onRequest: ((data: Buffer, connection: ProxiedConnection) => void) | null = null;

  private constructor(
    private readonly server: Server,
    /** The URL of the same database through the proxy. */
    readonly url: string,
  ) {}

  /** A proxy in front of the server of a database URL. */
  static async before(databaseUrl: string): Promise<TcpProxy> {
    const { host, port, socketPath } = databaseAddress(databaseUrl);
    const server = createServer({ pauseOnConnect: true }, (client) => {
      if (!proxy.isUp) return void client.destroy();
      const behind = socketPath === undefined ? connect(port!, host) : connect(socketPath);
      proxy.connections.add(new ProxiedConnection(client, behind, proxy));
      client.resume();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = new URL(databaseUrl);
    url.searchParams.delete('socketPath');
    [url.hostname, url.port] = ['127.0.0.1', String((server.address() as AddressInfo).port)];
    const proxy = new TcpProxy(server, url.href);
    return proxy;
  }

  cutAll(): void {
    for (const connection of this.connections) connection.cut();
  }

  silenceAll(): void {
    for (const connection of this.connections) connection.silence();
  }

  close(): void {
    this.server.close();
    this.cutAll();
  }
}
