import type { ServerResponse } from 'node:http';
import type { HttpLimits } from './httpServer.js';

/** The minimum size to count (bytes): shorter answers fit into the buffers of a connection. */
const SHORT = 65_536;

/** Limits the unread answers of slow clients: in total, for each sender, and in time. */
export class UnsentAnswers {
  private total = 0;
  private readonly bySender = new Map<string, number>();

  constructor(private readonly limits: HttpLimits) {}

  /**
   * Returns whether a sender must read its answers before it gets more. A sender without unread
   * answers is always served: otherwise slow readers would block all other senders.
   */
  isFull(sender: string): boolean {
    const { unsent, unsentOfSender } = this.limits;
    const unread = this.bySender.get(sender) ?? 0;
    return unread >= unsentOfSender || (unread > 0 && this.total >= unsent);
  }

  /** Counts an answer until it is sent. Closes the connection if the client reads it too slowly. */
  add(response: ServerResponse, sender: string, bytes: number): void {
    if (bytes < SHORT) return;
    this.count(sender, bytes);
    const cut = (): void => void response.destroy();
    const { sendGrace, sendRate } = this.limits;
    const timer = setTimeout(cut, sendGrace + (1_000 * bytes) / sendRate).unref();
    response.once('close', () => {
      clearTimeout(timer);
      this.count(sender, -bytes);
    });
  }

  private count(sender: string, bytes: number): void {
    this.total += bytes;
    const left = (this.bySender.get(sender) ?? 0) + bytes;
    if (left === 0) this.bySender.delete(sender);
    else this.bySender.set(sender, left);
  }
}
