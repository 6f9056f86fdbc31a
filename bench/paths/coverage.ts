// Loaded into the server before its program: tells the parent process which functions have run, by Node's inspector.
import { Session } from 'node:inspector/promises';

/** The functions of a script that have run since the last message. */
export interface CoveredScript {
  readonly url: string;
  readonly functions: readonly string[];
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('message', () => {
  void session.post('Profiler.takePreciseCoverage').then(({ result }) => {
    const covered = result.map(({ url, functions }): CoveredScript => ({
      url,
      functions: functions
        .filter(({ ranges }) => ranges[0].count > 0)
        .map(({ functionName }) => functionName),
    }));
    process.send!(covered.filter(({ functions }) => functions.length > 0));
  });
});
process.channel!.unref();
