import type { Browser, Page } from 'playwright-core';

/** An event of Chromium's tracing; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  /** Of the processor, whoever else wants it. */
  readonly tdur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly args: {
    readonly name?: string;
    readonly data?: { readonly documentLoaderURL?: string; readonly isOutermostMainFrame?: boolean };
  };
}

/** What a browser's own tracing tells of a page, in milliseconds. */
export interface TraceFigures {
  /** From the navigation to the picture of the map. */
  readonly painted: number;
  /** How many frames were drawn. */
  readonly frames: number;
  /** What the page's main thread took of the processor: in all, and for its longest task. */
  readonly busy: number;
  readonly longestTask: number;
}

const CATEGORIES = [
  'loading',
  'blink.user_timing',
  'devtools.timeline',
  'toplevel',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
];

export class Trace {
  private constructor(private readonly browser: Browser) {}

  static async begin(browser: Browser, page: Page): Promise<Trace> {
    await browser.startTracing(page, { categories: CATEGORIES });
    return new Trace(browser);
  }

  async end(): Promise<TraceFigures> {
    const { traceEvents } = JSON.parse((await this.browser.stopTracing()).toString()) as {
      traceEvents: TraceEvent[];
    };
    return figuresOf(traceEvents);
  }
}

function figuresOf(events: readonly TraceEvent[]): TraceFigures {
  const start = events.findLast(
    ({ name, args }) => name === 'navigationStart' && args.data?.documentLoaderURL?.startsWith('http'),
  );
  const painted = events.findLast(({ name, ph }) => name === 'map-painted' && 'IRn'.includes(ph));
  const main = new Map(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => [pid, tid]),
  );
  const tasks = events
    .filter(({ name, pid, tid }) => name === 'RunTask' && main.get(pid) === tid)
    .map(({ tdur = 0 }) => tdur / 1_000);
  return {
    painted: start && painted ? Math.round((painted.ts - start.ts) / 1_000) : Number.NaN,
    frames: events.filter(({ name, pid }) => name === 'DrawFrame' && main.has(pid)).length,
    busy: Math.round(tasks.reduce((sum, duration) => sum + duration, 0)),
    longestTask: Math.round(Math.max(0, ...tasks)),
  };
}
