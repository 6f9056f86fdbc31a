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
      description: 'Why there is no candidate. Computed only if selected: it visits every provider.',
      resolve: ({ searched: { snapshot, request } }, _args, { operation }) =>
        explainCandidates(snapshot, request, operation),
    }),
  }),
});
