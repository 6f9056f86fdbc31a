import type { Scene } from './scenes.js';

/** Sends a document to a server and gives `data` of its answer, or throws. */
export type Ask = (document: string) => Promise<unknown>;

export interface Provider {
  readonly name: string;
  readonly parent: { readonly name: string } | null;
  readonly aggregates: readonly { readonly uuid: string; readonly name: string | null }[];
  readonly traits: readonly { readonly name: string }[];
  readonly inventories: readonly {
    readonly resourceClass: { readonly name: string };
    readonly capacity: number;
    readonly used: number;
  }[];
}

/** What one provider gives to a request. */
export interface Part {
  readonly provider: string;
  /** The suffixes of the groups that it serves. */
  readonly groups: readonly string[];
  readonly amounts: readonly {
    readonly resourceClass: { readonly name: string };
    readonly amount: number;
  }[];
}

/** What the server answers about a scene. */
export interface Picture {
  /** The providers of each tree, parents before children. */
  readonly trees: readonly (readonly Provider[])[];
  readonly parts: readonly Part[];
}

const PROVIDER = `name parent { name } aggregates { uuid name } traits { name }
  inventories { resourceClass { name } capacity used }`;

/** Makes what a scene is about, and asks the server what it is. */
export async function pictureOf(scene: Scene, ask: Ask): Promise<Picture> {
  for (const mutation of scene.mutations) await write(mutation, ask);
  const trees = await Promise.all(scene.roots.map((root) => treeOf(root, ask)));
  return { trees, parts: scene.request === undefined ? [] : await partsOf(scene.request, ask) };
}

async function write(mutation: string, ask: Ask): Promise<void> {
  const answers = (await ask(mutation)) as Record<string, { __typename: string }>;
  for (const { __typename } of Object.values(answers))
    if (!__typename.endsWith('Payload')) throw new Error(`${__typename}: ${mutation}`);
}

async function treeOf(root: string, ask: Ask): Promise<Provider[]> {
  const document = `{ resourceProvider(by: { name: "${root}" }) { ${PROVIDER} descendants { ${PROVIDER} } } }`;
  const { resourceProvider } = (await ask(document)) as {
    resourceProvider: Provider & { descendants: Provider[] };
  };
  const descendants = [...resourceProvider.descendants].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [resourceProvider, ...descendants];
}

interface Candidates {
  readonly allocationCandidates: {
    readonly allocationRequests: readonly {
      readonly allocations: readonly {
        readonly resourceProvider: { readonly name: string };
        readonly resources: Part['amounts'];
      }[];
      readonly mappings: readonly {
        readonly suffix: string;
        readonly resourceProviders: readonly { readonly name: string }[];
      }[];
    }[];
  };
}

async function partsOf(request: string, ask: Ask): Promise<Part[]> {
  const { allocationCandidates } =
    (await ask(`{ allocationCandidates(request: ${request}) { allocationRequests {
    allocations { resourceProvider { name } resources { resourceClass { name } amount } }
    mappings { suffix resourceProviders { name } }
  } } }`)) as Candidates;
  const [only, ...others] = allocationCandidates.allocationRequests;
  if (only === undefined || others.length > 0) throw new Error(`not one candidate: ${request}`);
  return only.allocations.map(({ resourceProvider: { name }, resources }) => ({
    provider: name,
    amounts: resources,
    groups: only.mappings
      .filter(({ resourceProviders }) => resourceProviders.some((each) => each.name === name))
      .map(({ suffix }) => suffix),
  }));
}
