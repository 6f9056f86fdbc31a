import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../faults/faults.js';
import type { GaleraSetting } from './galeraSetting.js';

type GaleraFault = Fault<GaleraSetting>;

/** Longer than a cluster waits before it removes a silent node. */
const EVICTED = 12;

/** Every fault is that of a node, or a server, that is drawn when it begins. */
export const GALERA_FAULTS: readonly GaleraFault[] = [
  {
    name: 'node killed (SIGKILL) and started again',
    seconds: 6,
    begin: (setting) => setting.drawNode().kill(),
    end: (setting) => setting.node.start(),
  },
  {
    name: 'node shut down and started again',
    seconds: 6,
    begin: (setting) => setting.drawNode().stop(),
    end: (setting) => setting.node.start(),
  },
  {
    name: 'node halted (SIGSTOP) for less time than the cluster waits for it',
    seconds: 2,
    begin: (setting) => setting.drawNode().pause(),
    end: (setting) => setting.node.goOn(),
  },
  {
    name: 'node halted (SIGSTOP) until the cluster removes it',
    seconds: EVICTED,
    begin: (setting) => setting.drawNode().pause(),
    end: (setting) => setting.node.goOn(),
  },
  {
    name: 'two of three nodes halted: no majority',
    seconds: EVICTED,
    begin(setting) {
      setting.drawNode();
      for (const node of setting.otherNodes()) node.pause();
    },
    end(setting) {
      for (const node of setting.otherNodes()) node.goOn();
    },
  },
  {
    name: 'node cut off from the other two, and joined again',
    seconds: EVICTED,
    begin: (setting) => setting.drawNode().isolate(true),
    end: (setting) => setting.node.isolate(false),
  },
  {
    name: 'all connections cut, again and again',
    seconds: 2,
    async begin({ proxies }) {
      for (let cuts = 0; cuts < 10; cuts++) {
        for (const proxy of proxies) proxy.cutAll();
        await sleep(400);
      }
    },
    end: () => undefined,
  },
  {
    name: 'node out of reach of the servers',
    seconds: 8,
    begin(setting) {
      setting.drawNode();
      setting.proxy.isUp = false;
      setting.proxy.cutAll();
    },
    end: (setting) => void (setting.proxy.isUp = true),
  },
  {
    name: 'the connections to a node pass nothing any more',
    seconds: 1,
    begin(setting) {
      setting.drawNode();
      setting.proxy.silenceAll();
    },
    end: () => undefined,
  },
  {
    name: 'server killed (SIGKILL) and started again',
    seconds: 1,
    begin: (setting) => setting.killServer(),
    end: (setting) => setting.restartServer(),
  },
];
