import type { Context } from './context.js';
import { resetLoaders } from './mutation.js';

/** Ends a stream of events together with the operation that it is for. */
export function endingWith<Event>(
  { operation: { signal } }: Context,
  events: AsyncIterableIterator<Event>,
): AsyncIterableIterator<Event> {
  const end = (): void => void events.return?.();
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  return events;
}

/** Begins with an event of a stream, or throws the error that ends it. Each has the whole deadline, and reads afresh. */
export async function beginEvent<Event>(event: Event | Error, context: Context): Promise<Event> {
  if (event instanceof Error) throw event;
  await context.operation.pause(); // one commit is an event of every stream
  context.operation.restart();
  resetLoaders(context);
  return event;
}
