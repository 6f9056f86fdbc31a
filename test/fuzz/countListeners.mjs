// Loaded into the server by --import. On SIGUSR2 it collects garbage and writes the event listeners of the process to
// the file PLACEMENT_LISTENERS.
import { Session } from 'node:inspector/promises';
import { renameSync, writeFileSync } from 'node:fs';

const LISTENERS = `function () {
  const { getEventListeners } = process.getBuiltinModule('node:events');
  const counts = {};
  for (const each of this) {
    const events = Object.hasOwn(each, '_events') ? each._events : each instanceof AbortSignal ? { abort: 1 } : {};
    for (const event of Reflect.ownKeys(events ?? {})) {
      const name = (each.constructor?.name ?? '') + ' ' + String(event);
      const count = each instanceof AbortSignal ? getEventListeners(each, event).length : each.listenerCount(event);
      if (count > 0) counts[name] = (counts[name] ?? 0) + count;
    }
  }
  return counts;
}`;

async function listenersOf(session, prototype) {
  const { result } = await session.post('Runtime.evaluate', { expression: prototype });
  const { objects } = await session.post('Runtime.queryObjects', { prototypeObjectId: result.objectId });
  const call = { objectId: objects.objectId, functionDeclaration: LISTENERS, returnByValue: true };
  const counted = await session.post('Runtime.callFunctionOn', call);
  return counted.result.value;
}

process.on('SIGUSR2', async () => {
  const session = new Session();
  session.connect();
  const emitters = await listenersOf(session, `process.getBuiltinModule('node:events').prototype`);
  const signals = await listenersOf(session, 'AbortSignal.prototype');
  session.disconnect();
  const file = process.env.PLACEMENT_LISTENERS;
  writeFileSync(`${file}.part`, JSON.stringify({ ...emitters, ...signals }));
  renameSync(`${file}.part`, file);
});
