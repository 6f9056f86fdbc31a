import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type InputShapeFromFields,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import { GraphQLError, type GraphQLFieldResolver } from 'graphql';
import { InvalidInput } from '../model/input.js';
import type { Context } from './context.js';
import { costOfField, type Complexity } from './cost/operationCost.js';
import { withUuids, suggestNames } from './names.js';

const NAME = 'resolvers' as const;

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- how Pothos registers a plugin
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      [NAME]: ResolverPlugin<Types>;
    }
    interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      /** The cost of the field. Defaults to {@link costOfField}. */
      complexity?: Complexity<InputShapeFromFields<Args>, Types['Context']>;
    }
  }
}

type Resolver<OfSchema extends object> = GraphQLFieldResolver<unknown, OfSchema, object>;

/**
 * Wraps resolvers inside the access rules: resolves references and locates rejected arguments.
 * Mutations resolve references themselves, so that the audit log records them, and return rejections as data.
 * Adds the cost of each field to its extensions.
 */
class ResolverPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { complexity = costOfField } = field.pothosOptions;
    return { ...field, extensions: { ...field.extensions, complexity } };
  }

  override wrapResolve(
    resolver: Resolver<Types['Context']>,
    field: PothosOutputFieldConfig<Types>,
  ): Resolver<Types['Context']> {
    const { kind, args } = field;
    if (kind === 'Mutation' || Object.keys(args).length === 0) return resolver;
    // a subscription resolves its references once, not again for each event
    return located(kind === 'Subscription' ? resolver : byUuid(resolver));
  }

  override wrapSubscribe(
    subscriber: Resolver<Types['Context']> | undefined,
  ): Resolver<Types['Context']> | undefined {
    return subscriber && located(byUuid(subscriber));
  }
}

/**
 * Replaces references by uuids before a resolver runs, but after the access rules, so that a viewer without access
 * cannot probe for names.
 */
function byUuid<OfSchema extends object>(resolver: Resolver<OfSchema>): Resolver<OfSchema> {
  return (parent, args, context, info): unknown =>
    withUuids(args, context as unknown as Context, info, (resolved) =>
      resolver(parent, resolved, context, info),
    );
}

/**
 * Adds the location of the field to the rejection of an argument. graphql-js adds it to every error except one with a
 * `path`, which it takes for the path of a field. InvalidInput has a path within the argument, so another error wraps
 * it.
 */
function located<OfSchema extends object>(resolver: Resolver<OfSchema>): Resolver<OfSchema> {
  return async (...call): Promise<unknown> => {
    try {
      return await resolver(...call);
    } catch (error) {
      if (error instanceof InvalidInput) {
        await suggestNames(error, call[2] as unknown as Context);
        throw new GraphQLError(error.message, { originalError: error });
      }
      throw error;
    }
  };
}

SchemaBuilder.registerPlugin(NAME, ResolverPlugin);

export default NAME;
