import type { ProviderEntity } from '../../reads/entities.js';
import { builder } from '../builder.js';
import { ResourceProvider } from '../refs.js';

interface Amount {
  /** The name of the class. */
  readonly resourceClass: string;
  readonly amount: number;
}

export const ResourceAmount = builder.objectRef<Amount>('ResourceAmount').implement({
  description: 'An amount of one resource class.',
  fields: (t) => ({
    resourceClass: t.exposeString('resourceClass', { description: 'The name of the resource class.' }),
    amount: t.exposeInt('amount', { description: 'How much, in the unit of the class.' }),
  }),
});

interface Part {
  readonly resourceProvider: ProviderEntity;
  readonly resources: readonly Amount[];
}

/** The one shape in which it is told what is, or could be, taken of providers. */
export const ProviderAllocation = builder.objectRef<Part>('ProviderAllocation').implement({
  description: 'What is, or could be, taken of one provider: what ProviderAllocationInput takes, to be read.',
  fields: (t) => ({
    resourceProvider: t.expose('resourceProvider', {
      type: ResourceProvider,
      description:
        'The provider. In allocation requests its id, uuid, name, generation, parent.uuid and root.uuid cost no database read.',
    }),
    resources: t.expose('resources', {
      type: [ResourceAmount],
      description:
        'The amounts, one per resource class; in an allocation request the sum over the groups that this provider serves.',
    }),
  }),
});
