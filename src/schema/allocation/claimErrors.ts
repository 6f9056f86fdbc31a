import { explainCandidates } from '../../placement/explanation.js';
import { NoCandidates } from '../../placement/noCandidates.js';
import { builder } from '../builder.js';
import { common } from '../errors.js';
import { CandidateExplanationRef } from '../candidates/explanation.js';

builder.objectType(NoCandidates, {
  ...common('NO_CANDIDATES'),
  fields: (t) => ({
    explanation: t.field({
      type: CandidateExplanationRef,
      nullable: true,
      complexity: { field: 1000, multiplier: 1 },
      description:
        'Why one consumer can have no more than it can, at the moment of the last look. Worked out only when it is asked ' +
        'for: that visits every provider of the fleet.',
      resolve: ({ searched: { snapshot, request } }, _args, { operation }) =>
        explainCandidates(snapshot, request, operation),
    }),
  }),
});
