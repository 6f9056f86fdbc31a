import type { Context } from './context.js';
import { resetLoaders } from './mutation.js';

/** Ends a stream of events when its operation aborts. */
export function endingWith<Event>(
  { operation: { signal } }: Context,
  events: AsyncIterableIterator<Event>,
): AsyncIterableIterator<Event> {
  const end = (): void => void events.return?.();
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  return events;
}

/** Begins an event of a stream, with a deadline and capacity of its own. Throws the error that ends the stream. */
export async function beginEvent<Event>(event: Event | Error, context: Context): Promise<Event> {
  if (event instanceof Error) throw event;
  await context.operation.beginEvent();
  resetLoaders(context);
  return event;
}
