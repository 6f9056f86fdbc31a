/* Objects of answers, with the fields that tests select. A document may select fewer. */

export interface Named {
  readonly name: string;
}

export interface Amount {
  readonly resourceClass: Named;
  readonly amount: number;
}

export interface Total {
  readonly resourceClass: Named;
  readonly capacity: number;
  readonly used: number;
}

export interface ProviderPart {
  readonly resourceProvider: Named & { readonly uuid: string; readonly root: Named };
  readonly resources: readonly Amount[];
}

export interface AllocationRequest {
  readonly claimToken: string;
  readonly score: readonly number[];
  readonly allocations: readonly ProviderPart[];
  readonly mappings: readonly {
    readonly suffix: string;
    readonly resourceProviders: readonly (Named & { readonly uuid: string })[];
  }[];
}

export interface Page<Node = Named> {
  readonly nodes: readonly Node[];
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly totalCount: number;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}
