// A client of fetch alone, typed by graphql-codegen: finds a place for a machine, claims it, and gives it back.
import { randomUUID } from 'node:crypto';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { graphql } from './generated/index.js';
import type { ConsumerAllocationsInput } from './generated/graphql.js';

const SERVER = process.env.PLACEMENT_URL ?? 'http://127.0.0.1:4000/graphql';
const TOKEN = process.env.PLACEMENT_TOKEN;

/** Throws what is wrong with the request; what a mutation refuses is data. */
async function execute<Result, Variables>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  const response = await fetch(SERVER, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      ...(TOKEN && { authorization: `Bearer ${TOKEN}` }),
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
      createdAt
      inventories {
        resourceClass {
          name
        }
        available
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

const TAKE = graphql(`
  mutation Take($input: SetAllocationsInput!) {
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

const RELEASE = graphql(`
  mutation Release($consumer: UUID!, $host: UUID!) {
    deleteConsumer(input: { consumer: $consumer }) {
      __typename
    }
    deleteResourceProvider(input: { resourceProvider: { uuid: $host } }) {
      __typename
    }
  }
`);

const host = { uuid: randomUUID(), name: 'codegen-host' };
const root = { ...host, inventories: [{ resourceClass: 'VCPU', total: 8 }] };

// errors as data: the compiler knows the fields of each
const { applyProviderTree } = await execute(CREATE, { host: { root } });
switch (applyProviderTree.__typename) {
  case 'ApplyProviderTreePayload':
    console.log(`created ${applyProviderTree.root?.name}`);
    break;
  case 'DuplicateNameError':
    throw new Error(`there is a ${applyProviderTree.name} already`);
  default: // whatever the server has besides, now or in a later version
    throw new Error(`${applyProviderTree.code}: ${applyProviderTree.message}`);
}

// an input with one of several fields: `{ name, uuid }` together does not compile
const { resourceProvider } = await execute(FIND, { by: { name: host.name } });
const [inventory] = resourceProvider!.inventories;
console.log(`${inventory.available} ${inventory.resourceClass.name} are free`);

// a candidate is claimed by its token
const { allocationCandidates } = await execute(CANDIDATES, {
  request: { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 2 }], inTree: { uuid: host.uuid } }] },
  limit: 1,
});
const [request] = allocationCandidates!.allocationRequests;
const consumer: ConsumerAllocationsInput = {
  consumer: randomUUID(),
  projectId: 'examples',
  userId: 'codegen',
  allocations: { claimToken: request.claimToken },
};
const { setAllocations } = await execute(TAKE, { input: { consumers: [consumer] } });
if (setAllocations.__typename !== 'SetAllocationsPayload') throw new Error(setAllocations.message);
console.log(`claimed at generation ${setAllocations.consumers[0].generation}`);

// once more as if nothing had happened: refused, and nothing is changed
const again = await execute(TAKE, { input: { consumers: [consumer] } });
if (again.setAllocations.__typename !== 'SetAllocationsPayload') console.log(again.setAllocations.code);

await execute(RELEASE, { consumer: consumer.consumer, host: host.uuid });
console.log('released');
