/** A provider as a plan of `migrate-inventory` gets it: the fields of the API's ResourceProvider, and its subtree. */
export interface PlanProvider {
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly isSharing: boolean;
  /** Null for the root. */
  readonly parent: { readonly uuid: string; readonly name: string } | null;
  readonly inventories: readonly PlanInventory[];
  readonly traits: readonly { readonly name: string }[];
  readonly aggregates: readonly { readonly uuid: string }[];
  /** Sorted by name. */
  readonly children: readonly PlanProvider[];
}

/** The root of a tree, with a list of all descendants: depth first, siblings by name. */
export interface PlanTree extends PlanProvider {
  readonly descendants: readonly PlanProvider[];
}

export interface PlanInventory {
  readonly resourceClass: { readonly name: string };
  readonly total: number;
  readonly reserved: number;
  readonly minUnit: number;
  readonly maxUnit: number;
  readonly stepSize: number;
  readonly allocationRatio: number;
  readonly capacity: number;
  readonly used: number;
  readonly available: number;
}

/** A consumer with an allocation in the tree, and all its allocations inside and outside of it. */
export interface PlanConsumer {
  readonly uuid: string;
  readonly generation: number;
  readonly type: { readonly name: string } | null;
  /** Null if another program set none. */
  readonly projectId: string | null;
  readonly userId: string | null;
  readonly allocations: readonly PlanAllocation[];
}

export interface PlanAllocation {
  readonly resourceProvider: { readonly uuid: string; readonly name: string };
  readonly resourceClass: { readonly name: string };
  readonly amount: number;
}

/** The input of a plan: one root provider with its tree, and the consumers that a reshape of the tree concerns. */
export interface PlanNode {
  readonly tree: PlanTree;
  readonly consumers: readonly PlanConsumer[];
}

/**
 * The default export of a plan: maps a tree to the API's ApplyProviderTreeInput, or to null to leave it unchanged.
 * It is called again for a node that a concurrent writer has changed.
 */
export type Plan = (node: PlanNode) => object | null | undefined | Promise<object | null | undefined>;
