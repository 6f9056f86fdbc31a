import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { databaseAddress } from '../../src/store/database/address.js';

/** A connection of a client to the proxy, and the connection from the proxy to the server. */
export class ProxiedConnection {
  /** The number of pieces of data that the client has sent. */
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

  /** Keeps both ends open, but passes no more data in either direction. */
  silence(): void {
    this.isSilent = true;
  }

  /** Passes the data of the client on, but drops all answers. */
  swallowAnswers(): void {
    this.answer = () => undefined;
  }

  /** Passes the data that the client has just sent on, but answers the client with an error. */
  answerWithError(number: number, message: string): void {
    this.swallowAnswers();
    const text = Buffer.from(`#HY000${message}`);
    const packet = Buffer.alloc(7);
    packet.writeUIntLE(3 + text.length, 0, 3);
    packet.writeUInt8(1, 3); // the first packet of an answer
    packet.writeUInt8(0xff, 4); // an error
    packet.writeUInt16LE(number, 5);
    this.client.write(Buffer.concat([packet, text]));
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
  /** The delay of each piece of an answer (ms). */
  delay = 0;
  bytesPerSecond = Infinity;
  /** Whether the proxy accepts new connections. Otherwise it closes them immediately. */
  isUp = true;
  /** Called with each piece of data from a client, before the proxy passes it on. */
  onRequest: ((data: Buffer, connection: ProxiedConnection) => void) | null = null;

  private constructor(
    private readonly server: Server,
    /** The URL of the same database through the proxy. */
    readonly url: string,
  ) {}

  /**
   * Creates a proxy in front of the servers of these database URLs: a load balancer that gives each
   * connection to the next server in turn. The databases must have the same name and user.
   */
  static async before(databaseUrl: string, ...others: string[]): Promise<TcpProxy> {
    const addresses = [databaseUrl, ...others].map(databaseAddress);
    let accepted = 0;
    const server = createServer({ pauseOnConnect: true }, (client) => {
      if (!proxy.isUp) return void client.destroy();
      const { host, port, socketPath } = addresses[accepted++ % addresses.length];
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
