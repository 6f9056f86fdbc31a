import { tagged, untagged, type FromWorker, type ToWorker } from './messages.js';

/** A worker's end of the channel to its primary. */
export class WorkerLink {
  private readonly listeners = new Set<(message: ToWorker) => void>();

  constructor() {
    process.on('message', (sent) => {
      const message = untagged<ToWorker>(sent);
      if (message !== null) for (const listener of this.listeners) listener(message);
    });
  }

  onMessage(listener: (message: ToWorker) => void): void {
    this.listeners.add(listener);
  }

  /** Waits until the primary says this. */
  said<Key extends keyof ToWorker>(key: Key): Promise<NonNullable<ToWorker[Key]>> {
    return new Promise((resolve) => {
      const listener = (message: ToWorker): void => {
        const value = message[key];
        if (value === undefined) return;
        this.listeners.delete(listener);
        resolve(value);
      };
      this.listeners.add(listener);
    });
  }

  /** A primary that is gone is told nothing: this process ends with it. */
  send(message: FromWorker): void {
    if (process.connected) process.send!(tagged(message), undefined, undefined, () => undefined);
  }
}
