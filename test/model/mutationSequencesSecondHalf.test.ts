import { testHalfOfTheSequences } from './mutationSequences.js';

testHalfOfTheSequences('second');
