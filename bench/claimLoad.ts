import { randomUUID } from 'node:crypto';
import type { Bench } from './bench.js';
import { RawClient } from './rawClient.js';
import { CLAIM, claimInput, claimOf, fleetInputs, OWNER, SET_ALLOCATIONS } from './requests.js';
import type { ServerProcess } from './serverProcess.js';

export type ClaimKind = 'given' | 'searched';

/** Clients of servers. `end` reverts what they did, and closes their connections. */
export interface Clients {
  readonly clients: readonly (() => Promise<void>)[];
  end(): Promise<void>;
}

/** Returns clients that send the same body. An answer without the word is an error. */
export function sameRequests(url: string, count: number, body: object, word: string): Clients {
  const text = JSON.stringify(body);
  const connections = Array.from({ length: count }, () => new RawClient(url));
  return {
    clients: connections.map((connection) => () => connection.send(text, word)),
    end() {
      for (const connection of connections) connection.close();
      return Promise.resolve();
    },
  };
}

/** Clients that claim on several servers, and release their claims at the end. */
export class Claims implements Clients {
  readonly clients: readonly (() => Promise<void>)[];
  private readonly connections: readonly RawClient[];
  private readonly consumers: string[] = [];
  private next = 0;

  constructor(
    private readonly bench: Bench,
    servers: readonly ServerProcess[],
    kind: ClaimKind,
    clients: number,
  ) {
    this.connections = Array.from(
      { length: clients },
      (_, at) => new RawClient(servers[at % servers.length].url),
    );
    const bodyOf = kind === 'given' ? this.given.bind(this) : this.searched.bind(this);
    this.clients = this.connections.map((connection) => () => this.claim(connection, bodyOf));
  }

  async end(): Promise<void> {
    const { consumers } = this;
    const release = async (connection: RawClient): Promise<void> => {
      for (let consumer = consumers.pop(); consumer !== undefined; consumer = consumers.pop())
        await connection.send(
          JSON.stringify({ query: RELEASE, variables: { input: { consumer } } }),
          'DeleteConsumerPayload',
        );
      connection.close();
    };
    await Promise.all(this.connections.map(release));
  }

  private async claim(connection: RawClient, bodyOf: (consumer: string) => string): Promise<void> {
    const consumer = randomUUID();
    await connection.send(bodyOf(consumer), 'Payload"');
    this.consumers.push(consumer);
  }

  /** Chooses providers round robin, so that clients do not conflict. */
  private given(consumer: string): string {
    const { nodes } = this.bench.targets;
    const consumers = [claimOf(consumer, nodes[this.next++ % nodes.length])];
    return JSON.stringify({ query: SET_ALLOCATIONS, variables: { input: { consumers } } });
  }

  private searched(consumer: string): string {
    const request = fleetInputs(this.bench.targets).q1;
    const input = claimInput(request, [{ consumer, type: 'INSTANCE', ...OWNER }]);
    return JSON.stringify({ query: CLAIM, variables: { input } });
  }
}

const RELEASE = `mutation ($input: DeleteConsumerInput!) {
  deleteConsumer(input: $input) { __typename ... on UserError { message } }
}`;
