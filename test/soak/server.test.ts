import { FAULTS } from '../faults/faults.js';
import { FaultySetting } from '../faults/faultySetting.js';
import { SEED } from './settings.js';
import { testSoak } from './soak.js';

testSoak('one server and one database', FAULTS, () => FaultySetting.start({}, SEED));
