import { FAULTS } from './faults.js';
import { testUnderLoad } from './underLoad.js';

testUnderLoad(FAULTS, () => Promise.resolve({}));
