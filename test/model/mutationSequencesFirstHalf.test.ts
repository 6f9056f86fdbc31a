import { testHalfOfTheSequences } from './mutationSequences.js';

testHalfOfTheSequences('first');
