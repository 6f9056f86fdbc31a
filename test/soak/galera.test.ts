import { GALERA_FAULTS } from './galeraFaults.js';
import { GaleraSetting } from './galeraSetting.js';
import { SEED } from './settings.js';
import { testSoak } from './soak.js';

testSoak('two servers and three Galera nodes', GALERA_FAULTS, (random) => GaleraSetting.start(random, SEED));
