import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import { GraphQLError, type GraphQLFieldResolver } from 'graphql';
import { InvalidInput } from '../domain/invalidInput.js';
import type { Context } from './context.js';
import { suggestNames } from './names/suggestions.js';

const NAME = 'rejectedArguments' as const;

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how Pothos learns of a plugin
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      [NAME]: RejectedArgumentsPlugin<Types>;
    }
  }
}

/**
 * If a field other than a mutation rejects an argument, the response contains the location of the
 * field. graphql-js adds the location to every error except one with a `path`, which it takes for
 * the path of a field. InvalidInput has a path within the argument, so another error wraps it.
 */
class RejectedArgumentsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { kind, args }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    return kind === 'Mutation' || Object.keys(args).length === 0 ? resolver : located(resolver);
  }

  override wrapSubscribe(
    subscriber: GraphQLFieldResolver<unknown, Types['Context'], object> | undefined,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> | undefined {
    return subscriber && located(subscriber);
  }
}

function located<OfSchema>(
  resolver: GraphQLFieldResolver<unknown, OfSchema, object>,
): GraphQLFieldResolver<unknown, OfSchema, object> {
  return async (...call): Promise<unknown> => {
    try {
      return await resolver(...call);
    } catch (error) {
      if (error instanceof InvalidInput) {
        await suggestNames(error, call[2] as Context);
        throw new GraphQLError(error.message, { originalError: error });
      }
      throw error;
    }
  };
}

SchemaBuilder.registerPlugin(NAME, RejectedArgumentsPlugin);

export default NAME;
