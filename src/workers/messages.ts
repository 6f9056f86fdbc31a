/** Sent to workers to report whether the database is ready. Other messages have other types. */
export interface DatabaseState {
  readonly type: 'placement:database';
  /** The reason with which requests are rejected. Null: the database is migrated and ready. */
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
