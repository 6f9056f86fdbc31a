import { describe } from '@jest/globals';
import { forest } from '../support/forest.js';
import { runExamples } from './examples.js';

describe('D11: root constraints', () => {
  const fleet = forest(`
    gold    +CUSTOM_GOLD    @A
      g     VCPU:1          @B
    silver  +CUSTOM_SILVER  @B
      s     VCPU:1          +CUSTOM_GOLD
    bronze  +CUSTOM_BRONZE
      b     VCPU:1          @A
  `);

  runExamples([
    {
      title: 'root_required takes alternatives',
      forest: fleet,
      query: 'resources=VCPU:1&root_required=in:CUSTOM_GOLD,CUSTOM_BRONZE',
      finds: `
        g VCPU:1
        b VCPU:1`,
    },
    {
      title: 'each set of alternatives must be met',
      forest: fleet,
      query: `resources=VCPU:1&root_required=in:CUSTOM_GOLD,CUSTOM_BRONZE&root_required=in:CUSTOM_GOLD,CUSTOM_SILVER`,
      finds: 'g VCPU:1',
    },
    {
      title: 'root_member_of looks at the root alone, not at what it spans',
      forest: fleet,
      query: 'resources1=VCPU:1&root_member_of=A',
      finds: 'g VCPU:1',
    },
    {
      title: 'a forbidden aggregate of a child does not matter',
      forest: fleet,
      query: 'resources1=VCPU:1&root_member_of=!A',
      finds: `
        s VCPU:1
        b VCPU:1`,
    },
    {
      title: 'an unknown aggregate finds nothing when required, rules out nothing when forbidden (rule 123)',
      forest: fleet,
      query: 'resources=VCPU:1&root_member_of=NOBODY',
      finds: '',
    },
    {
      title: 'an unknown forbidden aggregate rules out nothing (rule 123)',
      forest: fleet,
      query: 'resources=VCPU:1&root_member_of=!NOBODY&root_member_of=in:A,NOBODY',
      finds: 'g VCPU:1',
    },
  ]);
});
