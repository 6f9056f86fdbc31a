import { setQuotas } from '../../store/quotas/setQuotas.js';
import { readGroups, readQuotas, type Quota as QuotaEntity } from '../../store/quotas/quotaList.js';
import type { StoredProject } from '../../store/quotas/projectNames.js';
import { NO_OWNER } from '../../store/quotas/definitions.js';
import { builder, objectType } from '../builder.js';
import { COUNTED_ABOVE } from '../cost/operationCost.js';
import { optional, optionalList, required } from '../inputFields.js';
import { idsOf, mutation } from '../mutation.js';
import { Project } from '../refs.js';
import { Quota, QuotaGroup } from './quotas.js';

const QuotaLimitInput = builder.inputType('QuotaLimitInput', {
  description: 'A limit for a resource class or for the number of consumers.',
  fields: () => ({
    resourceClass: optional('String', 'The name of the class. Null or omitted: the number of consumers.'),
    limit: optional('SafeInt', 'The limit, at least 0. Null or omitted removes it.'),
  }),
});

const LIMITS = 'The limits to set or remove, each class once. Other limits stay.';

const ProjectQuotasInput = builder.inputType('ProjectQuotasInput', {
  description: 'Limits of a project.',
  fields: () => ({
    projectId: required('String', 'The id of the project. It may have no consumer yet.'),
    limits: required([QuotaLimitInput], LIMITS),
  }),
});

const QuotaGroupInput = builder.inputType('QuotaGroupInput', {
  description: 'The projects and the limits of a group.',
  fields: () => ({
    group: required('String', 'The name of the group, which is created if it is new.'),
    projects: optional(
      ['String'],
      'The ids of all its projects. A project of another group is INVALID_INPUT. Null or omitted leaves them unchanged.',
    ),
    limits: optionalList(QuotaLimitInput, LIMITS),
  }),
});

const SetQuotasInput = builder.inputType('SetQuotasInput', {
  description: 'Limits to set or to remove, all or none.',
  fields: () => ({
    projects: optionalList(ProjectQuotasInput, 'Projects, each once.'),
    groups: optionalList(QuotaGroupInput, 'Groups, each once. One without projects and limits is deleted.'),
    defaults: optionalList(QuotaLimitInput, `For projects without their own. ${LIMITS}`),
  }),
});

interface SetQuotas {
  readonly projects: readonly StoredProject[];
  readonly groups: readonly string[];
}

const SetQuotasPayload = objectType<SetQuotas>('SetQuotasPayload', {
  description: 'The limits count for every later write.',
  fields: (t) => ({
    projects: t.field({
      type: [Project],
      complexity: COUNTED_ABOVE,
      description: 'The projects of the input, in its order.',
      resolve: ({ projects }) => [...projects],
    }),
    groups: t.field({
      type: [QuotaGroup],
      complexity: COUNTED_ABOVE,
      description: 'The groups of the input that exist, by name.',
      resolve: ({ groups }, _args, { database }) => readGroups(database.pool, groups),
    }),
    defaults: t.field({
      type: [Quota],
      complexity: COUNTED_ABOVE,
      description: 'All defaults.',
      resolve: (_payload, _args, { database }): Promise<QuotaEntity[]> =>
        readQuotas(database.pool, { kind: 'DEFAULT', ids: [NO_OWNER] }),
    }),
  }),
});

mutation('setQuotas', {
  payload: SetQuotasPayload,
  description:
    'Sets or removes limits of projects and groups. They count for every write that commits later. A limit may be ' +
    'below the usage: it then only allows writes that do not raise it.',
  input: [SetQuotasInput, 'The limits.'],
  errors: ['INVALID_INPUT', 'OLDER_SERVER'],
  resolve: async (input, { ledger }) => {
    const projects = await setQuotas(ledger, input);
    return { projects, groups: input.groups.map(({ group }) => group) };
  },
  written: ({ projects }) =>
    idsOf(
      Project,
      projects.map(({ externalId }) => externalId),
    ),
});
