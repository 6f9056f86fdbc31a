import { afterAll, beforeAll, jest } from '@jest/globals';
import { ClusterProcesses, testWritesOnAllNodes } from '../support/clusterProcesses.js';
import { ReplicationGroup } from './group.js';

jest.setTimeout(120_000);

let group: ReplicationGroup;
let on: ClusterProcesses;

beforeAll(async () => {
  group = await ReplicationGroup.start({ isMultiPrimary: true });
  on = await ClusterProcesses.start(group.nodes);
}, 180_000);

afterAll(async () => {
  await on.close();
  await group.stop();
}, 60_000);

testWritesOnAllNodes(() => on);
