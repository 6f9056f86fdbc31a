import { createResourceClass, deleteResourceClass } from '../../ledger/catalog.js';
import { ResourceClassInUse } from '../../ledger/errors.js';
import { readResourceClasses } from '../../reads/catalog.js';
import { builder } from '../builder.js';
import { costOfList } from '../cost/fieldCost.js';
import { catalogEntry } from './catalogEntry.js';
import { ResourceClass } from '../refs.js';
import { READERS } from '../access/rules.js';

catalogEntry({
  type: ResourceClass,
  description: 'A kind of resource with amounts, such as VCPU or DISK_GB.',
  names: '1 to 255 of A-Z, 0-9 and _',
  field: 'resourceClass',
  noun: 'resource class',
  short: 'class',
  table: 'resource_classes',
  create: createResourceClass,
  delete: deleteResourceClass,
  inUse: ResourceClassInUse,
  usedIf: 'any provider has inventory of it',
});

builder.queryField('resourceClasses', (t) =>
  t.field({
    authScopes: READERS,
    type: [ResourceClass],
    nullable: true,
    complexity: costOfList(50),
    description: 'All resource classes, by name.',
    resolve: (_root, _args, { database }) => readResourceClasses(database),
  }),
);
