import { connect, type Socket } from 'node:net';

const HEADERS_END = '\r\n\r\n';

/**
 * A connection that costs its process little. It writes prepared requests, and searches an answer
 * only for its end and for one word. At high loads a full HTTP client would take more of the
 * machine than the server.
 */
export class RawClient {
  private readonly socket: Socket;
  private readonly head: string;
  private received: Buffer[] = [];
  private ended: (answer: Buffer) => void = () => undefined;
  private failed: (reason: Error) => void = () => undefined;

  constructor(url: string) {
    const { hostname, port, pathname, host } = new URL(url);
    this.head = `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: `;
    this.socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.socket.on('data', (chunk: Buffer) => this.take(chunk));
    this.socket.on('error', (error) => this.failed(error));
    this.socket.on('close', () => this.failed(new Error('the server has closed the connection')));
  }

  /**
   * Sends a body of JSON in ASCII, and waits for the whole answer. @throws Error if the answer does
   * not contain the word
   */
  async send(body: string, word: string): Promise<void> {
    const answer = await new Promise<Buffer>((resolve, reject) => {
      this.ended = resolve;
      this.failed = reject;
      this.socket.write(`${this.head}${body.length}${HEADERS_END}${body}`);
    });
    if (!answer.includes(word)) throw new Error(answer.toString().slice(0, 1_000));
  }

  close(): void {
    this.failed = () => undefined;
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.received.push(chunk);
    const answer = this.received.length === 1 ? chunk : Buffer.concat(this.received);
    const headersEnd = answer.indexOf(HEADERS_END);
    if (headersEnd < 0) return;
    const length = /content-length: (\d+)/i.exec(answer.toString('latin1', 0, headersEnd));
    if (length === null) return this.failed(new Error('an answer without a length'));
    if (answer.length < headersEnd + HEADERS_END.length + Number(length[1])) return;
    this.received = [];
    this.ended(answer);
  }
}
