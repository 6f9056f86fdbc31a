/** Sent to workers: whether they may use the database. Other users of the channel have other types. */
export interface DatabaseState {
  readonly type: 'placement:database';
  /** The reason why requests have to wait; null: the database is migrated and ready. */
  readonly waiting: string | null;
}

export interface WorkerReady {
  readonly type: 'placement:ready';
  readonly url: string;
}

/** Returns the URL of a worker that is ready; null for any other message. */
export function urlIn(message: unknown): string | null {
  return isOf<WorkerReady>(message, 'placement:ready') ? message.url : null;
}

export function isDatabaseState(message: unknown): message is DatabaseState {
  return isOf<DatabaseState>(message, 'placement:database');
}

function isOf<Message extends { readonly type: string }>(
  message: unknown,
  type: Message['type'],
): message is Message {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === type;
}
