import asyncHooks from 'node:async_hooks';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import * as hooks from './hooks.mjs';

const require = createRequire(import.meta.url);
// registerHooks is missing in Node 20, and register deprecated in Node 26
if (module.registerHooks) module.registerHooks({ resolve: hooks.resolve, load: hooks.load });
else module.register('./hooks.mjs', import.meta.url);

const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

/** The state of one test file that Jest's runner keeps in the global object. */
const RUNNER_STATE = [TIMEOUT, Symbol.for('EVENT_HANDLERS')];

/**
 * Replaces AsyncLocalStorage in Jest's runner, which asks it for the running test. Each test file loads the runner again,
 * and the real storage of each would be copied to every new promise of the worker (97 of 630 s for all database tests).
 */
class RunningTests {
  #running = [];

  /** Returns the test or hook that began last. */
  getStore() {
    return this.#running.at(-1);
  }

  async run(store, work) {
    this.#running.push(store);
    try {
      return await work();
    } finally {
      this.#running.splice(this.#running.lastIndexOf(store), 1);
    }
  }
}

/** Jest asks for 100 frames of each error, and maps each frame of a stack to its source. */
const STACK_FRAMES = 20;

let files = 0;

/**
 * Jest's module system, replaced by Node's: a worker evaluates the sources and packages once, not for each test file
 * (docs/decisions/0028-tests-run-in-nodes-module-system.md). It has the methods that jest-runner and jest-circus call.
 */
export default class Runtime {
  constructor(config, environment) {
    this.config = config;
    globalThis.console = environment.global.console;
    for (const symbol of RUNNER_STATE) delete globalThis[symbol];
  }

  /** Loads Jest's runner again, because its state belongs to one test file. */
  requireInternalModule(path) {
    const { AsyncLocalStorage } = asyncHooks;
    asyncHooks.AsyncLocalStorage = RunningTests;
    delete require.cache[path];
    try {
      return require(path);
    } finally {
      asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
    }
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    const mocker = new ModuleMocker(globalThis);
    const timers = new ModernFakeTimers({ config: this.config, global: globalThis });
    globalThis.jestGlobals = {
      ...globals,
      jest: {
        spyOn: (object, method) => mocker.spyOn(object, method),
        restoreAllMocks: () => mocker.restoreAllMocks(),
        useFakeTimers: (options) => timers.useFakeTimers(options),
        useRealTimers: () => timers.useRealTimers(),
        advanceTimersByTime: (milliseconds) => timers.advanceTimersByTime(milliseconds),
        setTimeout: (milliseconds) => {
          globalThis[TIMEOUT] = milliseconds;
        },
      },
    };
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    files++;
    Error.stackTraceLimit = STACK_FRAMES;
    return import(`${pathToFileURL(path).href}?file=${files}`);
  }

  /** Returns a map from a file in a stack trace to the path of its source map. */
  getSourceMaps() {
    return {
      get(frame) {
        const map =
          frame.startsWith('file:') && `${hooks.compiledPath(fileURLToPath(frame.split('?')[0]))}.map`;
        return map && existsSync(map) ? map : undefined;
      },
      *[Symbol.iterator]() {},
    };
  }

  getAllCoverageInfoCopy() {}
  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}
