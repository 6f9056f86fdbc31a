import { testSequences } from './mutationSequences.js';

testSequences(0);
