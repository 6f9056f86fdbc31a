import { jest } from '@jest/globals';
import { testWritesOnAllNodes, useCluster } from '../support/clusterProcesses.js';
import { startGroup } from './group.js';

jest.setTimeout(120_000);

testWritesOnAllNodes(useCluster(() => startGroup(true)).on);
