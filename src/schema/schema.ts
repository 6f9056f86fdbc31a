import type { GraphQLSchema } from 'graphql';
import { builder } from './builder.js';
import './scalars.js';
import './node.js';
import './provider/resourceProvider.js';
import './provider/resourceProviderWrites.js';
import './provider/inventory.js';
import './catalog/resourceClass.js';
import './catalog/trait.js';
import './provider/aggregate.js';
import './consumer/consumer.js';
import './allocation/allocation.js';
import './allocation/allocationWrites.js';
import './consumer/projectUsage.js';
import './consumer/project.js';
import './consumer/consumerTypeList.js';
import './allocation/reshape.js';
import './provider/providerTree.js';
import './candidates/candidates.js';
import './allocation/claim.js';
import './fleet/audit.js';
import './fleet/fleetTotals.js';
import './provider/resourceProviderChange.js';
import './candidates/headroom.js';

/** The whole schema: each file imported above has added its part. */
export function buildSchema(): GraphQLSchema {
  return builder.toSchema();
}
