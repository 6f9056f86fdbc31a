/** The events of a stream of server-sent events that have data, which is JSON here; it ends when the connection is gone as well. */
export async function* eventsOf<Event>(body: AsyncIterable<Uint8Array>): AsyncGenerator<Event> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body) {
      const events = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        const [, data = ''] = /^data: (.+)$/m.exec(event) ?? [];
        if (data !== '') yield JSON.parse(data) as Event;
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
  }
}
