import {
  DirectiveLocation,
  GraphQLDeprecatedDirective,
  GraphQLDirective,
  specifiedDirectives,
  type GraphQLSchema,
} from 'graphql';
import { builder } from './builder.js';
import './scalars.js';
import './node.js';
import './access/viewer.js';
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
import './consumer/user.js';
import './consumer/consumerTypeList.js';
import './consumer/consumersOf.js';
import './consumer/consumerChange.js';
import './allocation/reshape.js';
import './provider/providerTree.js';
import './candidates/candidates.js';
import './allocation/claim.js';
import './allocation/planWorkload.js';
import './fleet/audit.js';
import './fleet/fleetTotals.js';
import './fleet/fleetMap.js';
import './fleet/drain.js';
import './provider/resourceProviderChange.js';
import './fleet/fleetTotalsChange.js';
import './candidates/headroom.js';

/**
 * Clients that know the GraphQL of October 2021 (graphql-core 3.2) read no introspection with a location that is newer. Nothing here
 * deprecates a directive.
 */
const { locations, ...deprecated } = GraphQLDeprecatedDirective.toConfig();
const deprecatedDirective = new GraphQLDirective({
  ...deprecated,
  locations: locations.filter((location) => location !== DirectiveLocation.DIRECTIVE_DEFINITION),
});

/** The whole schema: each file imported above has added its part. */
export function buildSchema(): GraphQLSchema {
  return builder.toSchema({
    directives: specifiedDirectives.map((directive) =>
      directive === GraphQLDeprecatedDirective ? deprecatedDirective : directive,
    ),
  });
}
