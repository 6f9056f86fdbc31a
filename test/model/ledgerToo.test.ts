import { testSequences } from './sequences.js';

testSequences(1);
