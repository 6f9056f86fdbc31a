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

/** Returns whether a message has this type. Other messages are those of libraries. */
export function isOf<Message extends DatabaseState | WorkerReady>(
  message: unknown,
  type: Message['type'],
): message is Message {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === type;
}
