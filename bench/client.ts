import { Agent, request } from 'node:http';

/** The cheapest GraphQL query. Its cost does not depend on placement. */
export const MINIMAL = '{ __typename }';

/** An unparsed answer. */
export interface Answer {
  /** The time from the first byte sent to the last byte received. */
  readonly ms: number;
  readonly bytes: number;
  readonly text: () => string;
}

/** A client with one connection, which it keeps open, and one request at a time. */
export class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly url: URL;

  constructor(url: string) {
    this.url = new URL(url);
  }

  /** Sends a document and receives the whole answer. */
  send(document: string, variables?: object): Promise<Answer> {
    const body = Buffer.from(JSON.stringify({ query: document, variables }));
    return this.post(body, performance.now());
  }

  private post(body: Buffer, began: number): Promise<Answer> {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    return new Promise((resolve, reject) => {
      const sent = request(this.url, { method: 'POST', agent: this.agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          bytes += chunk.length;
        });
        response.on('error', reject);
        response.on('end', () => {
          const ms = performance.now() - began;
          const text = (): string => Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve({ ms, bytes, text });
          else reject(new Error(`HTTP ${response.statusCode}: ${text().slice(0, 500)}`));
        });
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // after a long busy time the server closes idle connections before it reads from them
        if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(this.post(body, began));
        else reject(error);
      });
      sent.end(body);
    });
  }

  /** Sends a document and returns its data. @throws Error if the answer has errors */
  async ask<Data>(document: string, variables?: object): Promise<Data> {
    const { text } = await this.send(document, variables);
    const { data, errors } = JSON.parse(text()) as { data: Data; errors?: { message: string }[] };
    if (errors !== undefined) throw new Error(errors[0].message);
    return data;
  }

  /** Runs a mutation that must succeed. @throws Error if the server rejects it */
  async change(field: string, input: object): Promise<void> {
    const document = `mutation ($input: ${field[0].toUpperCase()}${field.slice(1)}Input!) {
      answer: ${field}(input: $input) { __typename ... on UserError { message } } }`;
    const { answer } = await this.ask<{ answer: { __typename: string; message?: string } }>(document, {
      input,
    });
    if (answer.message !== undefined) throw new Error(`${field}: ${answer.__typename}: ${answer.message}`);
  }

  /** Sends the minimal query. Returns its time (ms). */
  readonly minimal = async (): Promise<number> => (await this.send(MINIMAL)).ms;

  close(): void {
    this.agent.destroy();
  }
}
