// A client of fetch and graphql-sse, typed by graphql-codegen: creates a tree, reads it, claims a part of it and follows it.
import { randomUUID } from 'node:crypto';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { createClient } from 'graphql-sse';
import { graphql } from './generated/index.js';
import type {
  ConsumerAllocationsInput,
  PageQuery,
  ResourceProviderChangedSubscription,
} from './generated/graphql.js';

const SERVER = process.env.PLACEMENT_URL ?? 'http://127.0.0.1:4000/graphql';
const TOKEN = process.env.PLACEMENT_TOKEN;
const headers: Record<string, string> = TOKEN ? { authorization: `Bearer ${TOKEN}` } : {};

/** Throws faults of the request. Rejections of a mutation are data. */
async function execute<Result, Variables>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  const response = await fetch(SERVER, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
    },
    body: JSON.stringify({ query: print(document), variables }),
  });
  const { data, errors } = (await response.json()) as {
    data: Result;
    errors?: { message: string; extensions: { code: string; path?: string[] } }[];
  };
  if (!errors) return data;
  const reasons = errors.map(
    ({ message, extensions: { code, path } }) => `${code} ${path ?? ''}: ${message}`,
  );
  throw new Error(reasons.join('\n'));
}

const CREATE = graphql(`
  mutation CreateHost($host: ApplyProviderTreeInput!) {
    applyProviderTree(input: $host) {
      __typename
      ... on ApplyProviderTreePayload {
        root {
          uuid
          name
          generation
        }
      }
      ... on DuplicateNameError {
        name
      }
      ... on UserError {
        code
        message
      }
    }
  }
`);

const FIND = graphql(`
  query FindHost($by: ProviderRef!) {
    resourceProvider(by: $by) {
      name
      children {
        name
        inventories {
          resourceClass {
            name
          }
          available
        }
      }
    }
  }
`);

const PAGE = graphql(`
  query Page($host: UUID!, $after: String) {
    resourceProviders(filter: { inTree: { uuid: $host } }, first: 2, after: $after) {
      nodes {
        name
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const UPDATE = graphql(`
  mutation Update($input: UpdateResourceProviderInput!) {
    updateResourceProvider(input: $input) {
      __typename
      ... on UpdateResourceProviderPayload {
        resourceProvider {
          traits {
            name
          }
          inventory(resourceClass: "VCPU") {
            available
          }
        }
      }
      ... on UserError {
        code
        message
      }
    }
  }
`);

const CANDIDATES = graphql(`
  query Candidates($request: AllocationCandidatesInput!, $limit: Int) {
    allocationCandidates(request: $request, limit: $limit) {
      allocationRequests {
        claimToken
      }
    }
  }
`);

const CLAIM = graphql(`
  mutation Claim($input: SetAllocationsInput!) {
    setAllocations(input: $input) {
      __typename
      ... on SetAllocationsPayload {
        consumers {
          uuid
          generation
        }
      }
      ... on UserError {
        code
        message
        retryable
      }
    }
  }
`);

const CHANGED = graphql(`
  subscription ResourceProviderChanged($host: UUID!) {
    resourceProviderChanged(inTree: { uuid: $host }, kinds: [USAGE]) {
      resourceProvider {
        name
      }
    }
  }
`);

const RELEASE = graphql(`
  mutation Release($consumer: UUID!, $host: ApplyProviderTreeInput!, $uuid: UUID!) {
    deleteConsumer(input: { consumer: $consumer }) {
      __typename
    }
    applyProviderTree(input: $host) {
      __typename
    }
    deleteResourceProvider(input: { resourceProvider: { uuid: $uuid } }) {
      __typename
    }
  }
`);

const host = { uuid: randomUUID(), name: 'codegen-host' };
const children = ['codegen-numa-0', 'codegen-numa-1'].map((name) => ({
  name,
  inventories: [{ resourceClass: 'VCPU', total: 8 }],
}));

// errors as data: the compiler knows the fields of each
const { applyProviderTree } = await execute(CREATE, { host: { root: { ...host, children } } });
switch (applyProviderTree.__typename) {
  case 'ApplyProviderTreePayload':
    console.log(`created ${applyProviderTree.root?.name}`);
    break;
  case 'DuplicateNameError':
    throw new Error(`there is a ${applyProviderTree.name} already`);
  default: // all other errors, also those of later versions
    throw new Error(`${applyProviderTree.code}: ${applyProviderTree.message}`);
}

// a @oneOf input: `{ name, uuid }` together does not compile
const { resourceProvider } = await execute(FIND, { by: { name: host.name } });
for (const { name, inventories } of resourceProvider!.children)
  console.log(`${name}: ${inventories[0].available} ${inventories[0].resourceClass.name} are free`);

const names: string[] = [];
for await (const page of pages(host.uuid)) names.push(...page.nodes.map(({ name }) => name));
console.log(`pages of two: ${names.join(', ')}`);

// several edits of a provider in one transaction
const { updateResourceProvider } = await execute(UPDATE, {
  input: {
    resourceProvider: { name: 'codegen-numa-0' },
    traits: { add: ['HW_CPU_X86_AVX2'] },
    inventories: { patch: [{ resourceClass: 'VCPU', reserved: 2 }] },
  },
});
if (updateResourceProvider.__typename !== 'UpdateResourceProviderPayload')
  throw new Error(updateResourceProvider.message);
const { traits, inventory } = updateResourceProvider.resourceProvider;
console.log(`${traits[0].name}, ${inventory?.available} VCPU are free`);

let isOpen: () => void;
const opened = new Promise<void>((resolve) => (isOpen = resolve));
const events = createClient({ url: SERVER, headers, on: { connected: () => isOpen() } });
const changes = events.iterate<ResourceProviderChangedSubscription>({
  query: print(CHANGED),
  variables: { host: host.uuid },
});
const change = changes.next();
await opened;

// a candidate is claimed by its token
const { allocationCandidates } = await execute(CANDIDATES, {
  request: {
    groups: [
      {
        resources: [{ resourceClass: 'VCPU', amount: 2 }],
        requiredTraits: [['HW_CPU_X86_AVX2']],
        inTree: { uuid: host.uuid },
      },
    ],
  },
  limit: 1,
});
const [request] = allocationCandidates!.allocationRequests;
const consumer: ConsumerAllocationsInput = {
  consumer: randomUUID(),
  projectId: 'examples',
  userId: 'codegen',
  allocations: { claimToken: request.claimToken },
};
const { setAllocations } = await execute(CLAIM, { input: { consumers: [consumer] } });
if (setAllocations.__typename !== 'SetAllocationsPayload') throw new Error(setAllocations.message);
console.log(`claimed at generation ${setAllocations.consumers[0].generation}`);

const { value: event } = await change;
console.log(`changed: ${event?.data?.resourceProviderChanged.resourceProvider?.name}`);
events.dispose();

// the same claim of a new consumer is rejected and changes nothing
const again = await execute(CLAIM, { input: { consumers: [consumer] } });
if (again.setAllocations.__typename !== 'SetAllocationsPayload') console.log(again.setAllocations.code);

const empty = { root: { ...host, children: [] } };
await execute(RELEASE, { consumer: consumer.consumer, host: empty, uuid: host.uuid });
console.log('released');

async function* pages(host: string) {
  for (let after: string | null | undefined, hasNext = true; hasNext;) {
    const data: PageQuery = await execute(PAGE, { host, after });
    yield data.resourceProviders!;
    ({ hasNextPage: hasNext, endCursor: after } = data.resourceProviders!.pageInfo);
  }
}
