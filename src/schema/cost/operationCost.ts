import {
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  valueFromASTUntyped,
  type ArgumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { FieldCost } from './fieldCost.js';

/** A document as far as its cost depends on it. */
export interface PricedDocument {
  readonly schema: GraphQLSchema;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode | undefined>>;
  /** As the client sent them, or as they were coerced: either will do. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Fields whose selection is written as text, as `Type.field`: what is selected of them costs a part only. */
  readonly asText?: ReadonlySet<string>;
}

/** What an object costs that is only written as text, as part of what one costs that the executor makes. */
const TEXT = 1 / 20;

/** The fields of an object that are lists of a size that is known outside of it: what is selected of them is multiplied. */
interface SizedFields {
  readonly names: readonly string[];
  readonly multiplier: number;
}

type Complexity = FieldCost | number | ((args: object, context: object, field: object) => FieldCost | number);

/**
 * Estimates what selections cost before they run: about the number of objects that the answer will have. Nothing is coerced: values
 * that do not fit their types cost something or nothing, and the executor rejects them. A field that a directive leaves out
 * counts like any other, and of several types that an object may have each counts.
 */
export class OperationCost {
  /** The variables on which the figures have turned out to depend. */
  readonly variablesUsed = new Set<string>();
  private readonly fragmentCosts = new Map<string, number>();

  constructor(private readonly document: PricedDocument) {}

  /** The cost of a whole operation. */
  ofOperation(operation: OperationDefinitionNode): number {
    const type = this.document.schema.getRootType(operation.operation);
    return type ? this.ofSelections(type, operation.selectionSet) : 0;
  }

  /** The cost of what is selected of one object of a type, that of some fields multiplied. */
  ofSelections(type: GraphQLNamedType, { selections }: SelectionSetNode, sized?: SizedFields): number {
    let sum = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const factor = sized?.names.includes(selection.name.value) ? sized.multiplier : 1;
        sum += factor * this.ofField(type, selection);
      } else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        sum += this.ofFragment(selection.name.value, sized);
      } else {
        sum += this.ofSelections(this.typeOf(selection, type), selection.selectionSet, sized);
      }
    }
    return sum;
  }

  /** The cost of what several nodes of one field select of each of its objects. */
  ofEach(type: GraphQLNamedType, nodes: readonly FieldNode[]): number {
    return nodes.reduce(
      (sum, { selectionSet }) => sum + (selectionSet ? this.ofSelections(type, selectionSet) : 0),
      0,
    );
  }

  private ofFragment(name: string, sized?: SizedFields): number {
    const key = `${name} ${sized?.multiplier ?? ''}`;
    let cost = this.fragmentCosts.get(key);
    if (cost === undefined) {
      this.fragmentCosts.set(key, 0); // of fragments that spread each other the validation takes care
      const fragment = this.document.fragments[name];
      const type = fragment && this.document.schema.getType(fragment.typeCondition.name.value);
      cost = type ? this.ofSelections(type, fragment.selectionSet, sized) : 0;
      this.fragmentCosts.set(key, cost);
    }
    return cost;
  }

  private typeOf(
    { typeCondition }: Partial<Pick<FragmentDefinitionNode, 'typeCondition'>>,
    type: GraphQLNamedType,
  ): GraphQLNamedType {
    return (typeCondition && this.document.schema.getType(typeCondition.name.value)) ?? type;
  }

  private ofField(parent: GraphQLNamedType, node: FieldNode): number {
    if (!isObjectType(parent) && !isInterfaceType(parent)) return 0;
    const field = parent.getFields()[node.name.value] as GraphQLField<unknown, unknown> | undefined;
    if (field === undefined) return 1; // __typename, or a field of introspection
    const own = this.complexityOf(field, node);
    const type = getNamedType(field.type);
    if (!isCompositeType(type) || !node.selectionSet) return own.field;
    const part = this.document.asText?.has(`${parent.name}.${field.name}`) ? TEXT : 1;
    const names = field.extensions.sizedFields as readonly string[] | undefined;
    const selected = names
      ? this.ofSelections(type, node.selectionSet, { names, multiplier: own.multiplier })
      : own.multiplier * this.ofSelections(type, node.selectionSet);
    return own.field + Math.ceil(part * selected);
  }

  private complexityOf(field: GraphQLField<unknown, unknown>, node: FieldNode): FieldCost {
    const complexity = field.extensions.complexity as Complexity | undefined;
    const cost = typeof complexity === 'function' ? this.computed(complexity, field, node) : complexity;
    const { field: own, multiplier } = typeof cost === 'object' ? cost : { field: cost ?? 0, multiplier: 1 };
    return { field: atLeastZero(own), multiplier: atLeastZero(multiplier) };
  }

  private computed(
    complexity: Extract<Complexity, (...call: never[]) => unknown>,
    field: GraphQLField<unknown, unknown>,
    node: FieldNode,
  ): FieldCost | number {
    const args = Object.fromEntries(field.args.map(({ name, defaultValue }) => [name, defaultValue]));
    for (const argument of node.arguments ?? []) {
      const value = this.valueOf(argument);
      if (value !== undefined) args[argument.name.value] = value;
    }
    try {
      return complexity(args, {}, field);
    } catch {
      return 0; // an argument is not of its type
    }
  }

  private valueOf({ value }: ArgumentNode): unknown {
    return valueFromASTUntyped(value, this.variables);
  }

  private readonly variables: Readonly<Record<string, unknown>> = new Proxy(
    {},
    {
      get: (_, name: string) => {
        this.variablesUsed.add(name);
        return this.document.variables[name];
      },
    },
  );
}

function atLeastZero(cost: number): number {
  return cost > 0 ? cost : 0;
}
