import {
  applyProviderTrees,
  MAX_TREES,
  type AppliedTrees,
  type NamedDifference,
} from '../../store/ledger/tree/applyTrees.js';
import type { PartOutcome } from '../../store/ledger/tree/ownedPlan.js';
import type { OwnedKind } from '../../store/ledger/tree/ownership.js';
import { builder, meanings, objectType } from '../builder.js';
import { COUNTED_ABOVE } from '../cost/operationCost.js';
import { optionalList, required, withDefault } from '../inputFields.js';
import { idsOf, mutation } from '../mutation.js';
import { ProviderRef, ResourceProvider } from '../refs.js';
import { DesiredProviderInput } from './providerTree.js';

export const OwnedPart = builder.enumType('OwnedPart', {
  description: 'A part of a provider that has an owner.',
  values: meanings<OwnedKind>({
    PROVIDER: 'The provider itself: its existence, its name and its parent.',
    INVENTORY: 'An inventory.',
    TRAIT: 'A trait.',
    AGGREGATE: 'The membership in an aggregate.',
  }),
});

const FleetDifferenceOutcome = builder.enumType('FleetDifferenceOutcome', {
  description: 'What applyProviderTrees does with a part that differs.',
  values: meanings<PartOutcome>({
    SET: 'Writes it. The owner owns it, or it did not exist.',
    TAKEN_OVER: 'Writes it. It had no owner, and `takeOver` was given.',
    REMOVED: 'Removes it: the owner owns it and no longer states it.',
    KEPT: 'Leaves it unchanged: the owner does not own it or all of its descendants.',
    IN_USE:
      'Leaves it unchanged: the owner no longer states it, or states another `consumes`, but consumers use it.',
  }),
});

const FleetDifference = objectType<NamedDifference>('FleetDifference', {
  description: 'A part of a provider that differs from the input.',
  fields: (t) => ({
    providerUuid: t.expose('uuid', {
      type: 'UUID',
      nullable: true,
      description: 'The uuid of the provider. Null if a dry run would generate it.',
    }),
    provider: t.exposeString('provider', { description: 'The name of the provider in the input.' }),
    part: t.expose('kind', { type: OwnedPart, description: 'The kind of the part.' }),
    name: t.exposeString('name', {
      description: 'The name of the provider, resource class or trait, or the uuid of the aggregate.',
    }),
    before: t.exposeString('before', {
      nullable: true,
      description: 'The stored values, or the reason why a provider stays. Null if the part is absent.',
    }),
    after: t.exposeString('after', {
      nullable: true,
      description: 'The values in the input. Null if the input does not state the part.',
    }),
    outcome: t.expose('outcome', { type: FleetDifferenceOutcome, description: 'What happens to the part.' }),
  }),
});

const ApplyProviderTreesInput = builder.inputType('ApplyProviderTreesInput', {
  description: 'The desired state of several trees, as one owner states it.',
  fields: () => ({
    owner: required('String', 'The owner: 1 to 200 characters.'),
    trees: optionalList(
      DesiredProviderInput,
      `The roots and their descendants, at most ${MAX_TREES}. A provider of another tree is INVALID_INPUT.`,
    ),
    remove: optionalList(
      ProviderRef,
      `Roots to remove with their trees, at most ${MAX_TREES}. The tree of another owner loses only the owner's parts.`,
    ),
    takeOver: withDefault('Boolean', false, 'Whether to write values that differ and have no owner.'),
    dryRun: withDefault('Boolean', false, 'Whether to validate only.'),
  }),
});

interface Applied extends AppliedTrees {
  readonly isDry: boolean;
}

const ApplyProviderTreesPayload = objectType<Applied>('ApplyProviderTreesPayload', {
  description: 'The differences, which are written except for kept ones.',
  fields: (t) => ({
    differences: t.expose('differences', {
      type: [FleetDifference],
      complexity: COUNTED_ABOVE,
      description: 'The parts that differ, then the removed providers. Empty if nothing differs.',
    }),
    roots: t.field({
      type: [ResourceProvider],
      complexity: COUNTED_ABOVE,
      description: 'The roots of the stored trees, in the order of the input. Omits new trees in a dry run.',
      resolve: async ({ rootUuids }, _args, { loaders }) => {
        const stored = rootUuids.filter((uuid) => uuid !== null);
        const roots = stored.map((uuid) => loaders.providers.byUuid(uuid));
        return (await Promise.all(roots)).filter((root) => root !== null);
      },
    }),
    claimed: t.exposeInt('claimed', { description: 'The number of parts that the owner owns from now on.' }),
    released: t.exposeInt('released', { description: 'The number of parts that the owner no longer owns.' }),
  }),
});

mutation('applyProviderTrees', {
  payload: ApplyProviderTreesPayload,
  description:
    'Brings trees to the state that an owner states. Writes only parts that it owns or that do not exist, and ' +
    'removes only parts that it owns and that no consumer uses. A repeated call writes nothing.',
  input: [ApplyProviderTreesInput, 'The owner and the desired trees.'],
  errors: [
    'OLDER_SERVER',
    'INVALID_INPUT',
    'NOT_FOUND',
    'DUPLICATE_NAME',
    'PROVIDER_GENERATION_CONFLICT',
    'CONSUMPTION_IN_USE',
    'OWNED_BY_ANOTHER',
  ],
  resolve: async (input, { ledger }) => {
    const applied = await applyProviderTrees(ledger, input);
    return { ...applied, isDry: input.dryRun };
  },
  written: ({ isDry, differences }) =>
    isDry
      ? []
      : idsOf(ResourceProvider, [
          ...new Set(
            differences.flatMap(({ uuid, outcome }) =>
              uuid === null || outcome === 'KEPT' || outcome === 'IN_USE' ? [] : uuid,
            ),
          ),
        ]),
});
