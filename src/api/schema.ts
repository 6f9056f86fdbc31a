import './builder.js';
import './candidates/candidates.js';
import './candidates/headroom.js';
import './allocation/claim.js';
import './allocation/planWorkload.js';
import './allocation/allocationWrites.js';
import './provider/resourceProvider.js';
import './provider/inventory.js';
import './provider/resourceProviderWrites.js';
import './provider/providerTree.js';
import './provider/providerTrees.js';
import './allocation/reshape.js';
import './consumer/consumer.js';
import './consumer/rememberedRequest.js';
import './consumer/workload.js';
import './allocation/allocation.js';
import './consumer/holds.js';
import './consumer/owners.js';
import './consumer/projectUsage.js';
import './quota/quotas.js';
import './quota/setQuotas.js';
import './consumer/consumerTypeList.js';
import './fleet/fleetTotals.js';
import './fleet/fleetMap.js';
import './fleet/fleetOwners.js';
import './fleet/drain.js';
import './fleet/rebalance.js';
import './catalog.js';
import './provider/aggregate.js';
import './fleet/audit.js';
import './access/viewer.js';
import './node.js';
import './provider/resourceProviderChange.js';
import './consumer/consumerChange.js';
import './fleet/fleetTotalsChange.js';
import {
  DirectiveLocation,
  GraphQLDeprecatedDirective,
  GraphQLDirective,
  GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  specifiedDirectives,
  type GraphQLNamedType,
} from 'graphql';
import { builder } from './builder.js';

/**
 * Clients of the specification of October 2021 (graphql-core 3.2) reject an introspection with a newer location.
 * Nothing here deprecates a directive.
 */
const { locations, ...deprecated } = GraphQLDeprecatedDirective.toConfig();
const deprecatedDirective = new GraphQLDirective({
  ...deprecated,
  locations: locations.filter((location) => location !== DirectiveLocation.DIRECTIVE_DEFINITION),
});

/**
 * Builds the schema from the files imported above. Fields and arguments keep the order of their
 * definitions. Each type follows the first type that uses it.
 */
export function buildSchema(): GraphQLSchema {
  const schema = builder.toSchema({
    sortSchema: false,
    directives: specifiedDirectives.map((directive) =>
      directive === GraphQLDeprecatedDirective ? deprecatedDirective : directive,
    ),
  });
  return new GraphQLSchema({
    ...schema.toConfig(),
    description: INTRODUCTION,
    types: typesByFirstUse(schema),
  });
}

/** The first text of the docs explorer of GraphiQL and of other tools. */
const INTRODUCTION = `Resource providers form trees (hosts with NUMA nodes and devices) and have inventories of resource classes, traits and aggregates. \
Consumers hold allocations. Begin with Query.allocationCandidates (where would it fit?), Query.resourceProviders, \
Mutation.claim and Mutation.applyProviderTree.`;

/** Returns the root types, then every type after the first type that uses it, depth first. */
function typesByFirstUse(schema: GraphQLSchema): GraphQLNamedType[] {
  const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];
  const types = new Set<GraphQLNamedType>(roots);
  const visit = (type: GraphQLNamedType): void => {
    if (types.has(type)) return;
    types.add(type);
    usedBy(type).forEach(visit);
  };
  for (const root of roots) usedBy(root).forEach(visit);
  Object.values(schema.getTypeMap()).forEach(visit);
  return [...types];
}

/** Returns the types of a type's interfaces, members, fields and arguments, in the order of its definition. */
function usedBy(type: GraphQLNamedType): GraphQLNamedType[] {
  if (isUnionType(type)) return [...type.getTypes()];
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) => getNamedType(field.type));
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  const fields = Object.values(type.getFields()).flatMap((field) => [
    ...field.args.map((argument) => getNamedType(argument.type)),
    getNamedType(field.type),
  ]);
  return [...fields, ...type.getInterfaces()];
}
