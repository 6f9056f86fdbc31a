import type { GraphQLSchema } from 'graphql';
import { builder } from './builder.js';
import './scalars.js';
import './node.js';
import './resourceProvider.js';
import './resourceProviderWrites.js';
import './inventory.js';
import './resourceClass.js';
import './trait.js';
import './aggregate.js';
import './consumer.js';
import './allocation.js';
import './allocationWrites.js';
import './projectUsage.js';
import './project.js';
import './consumerTypeList.js';
import './reshape.js';
import './providerTree.js';
import './candidates.js';
import './claim.js';
import './audit.js';
import './fleetTotals.js';
import './resourceProviderChange.js';
import './headroom.js';

/** The whole schema: each file imported above has added its part. */
export function buildSchema(): GraphQLSchema {
  return builder.toSchema();
}
