import type { Worker } from 'node:cluster';

/** What Node's cluster sends a worker with each connection, and what the worker answers. */
interface Handover {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Closes, when a worker dies, the connections that were on their way to it: Node's cluster would hold them open for ever, and their
 * clients would wait for an answer that nobody gives.
 */
export function closeUndelivered({ process }: Worker): void {
  const undelivered = new Map<number, { close(): void }>();
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  process.send = (...args: unknown[]) => {
    const [message, handle] = args as [Handover, { close(): void } | undefined];
    if (message.act === 'newconn' && handle) undelivered.set(message.seq!, handle);
    return send(...args);
  };
  process.on('internalMessage', ({ ack }: Handover) => {
    if (ack !== undefined) undelivered.delete(ack);
  });
  process.once('exit', () => {
    for (const handle of undelivered.values()) handle.close();
  });
}
