import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { Context } from '../context.js';
import { withUuids } from './references.js';

const NAME = 'names' as const;

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how Pothos registers a plugin
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      [NAME]: NamesPlugin<Types>;
    }
  }
}

/**
 * Replaces references by uuids before a resolver runs, but after the access rules, so that a viewer
 * without access cannot probe for names. Mutations call {@link withUuids} themselves, so that the
 * audit log records the references. A subscription resolves its names once, not again for each event.
 */
class NamesPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { kind, args }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const resolvesItself = kind === 'Mutation' || kind === 'Subscription';
    return resolvesItself || Object.keys(args).length === 0 ? resolver : byUuid(resolver);
  }

  override wrapSubscribe(
    subscriber: GraphQLFieldResolver<unknown, Types['Context'], object> | undefined,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> | undefined {
    return subscriber && byUuid(subscriber);
  }
}

function byUuid<OfSchema extends object>(
  resolver: GraphQLFieldResolver<unknown, OfSchema, object>,
): GraphQLFieldResolver<unknown, OfSchema, object> {
  return (parent, args, context, info): unknown =>
    withUuids(args, context as unknown as Context, info, (resolved) =>
      resolver(parent, resolved, context, info),
    );
}

SchemaBuilder.registerPlugin(NAME, NamesPlugin);

export default NAME;
