// The operations, which relay-compiler compiles to a file each in `__generated__`. main.ts imports these files; nothing runs this one.
// (babel-plugin-relay replaces each literal by the import.)
import relay from 'relay-runtime';

const { graphql } = relay;

export const documents = () => [
  graphql`
    fragment session_host on ResourceProvider {
      id
      name
      generation
      traits {
        name
      }
      inventory(resourceClass: "VCPU") {
        available
      }
    }
  `,
  graphql`
    query sessionHostQuery($name: String!) {
      resourceProvider(by: { name: $name }) {
        id
        children {
          ...session_host
          id
          name
          traits {
            name
          }
          inventory(resourceClass: "VCPU") {
            available
          }
        }
      }
    }
  `,
  graphql`
    query sessionPageQuery($filter: ResourceProviderFilter!, $after: String) {
      resourceProviders(filter: $filter, first: 2, after: $after) {
        edges {
          node {
            name
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  graphql`
    query sessionCandidatesQuery($request: AllocationCandidatesInput!) {
      allocationCandidates(request: $request, limit: 1) {
        allocationRequests {
          claimToken
        }
      }
    }
  `,
  graphql`
    mutation sessionUpdateMutation($input: UpdateResourceProviderInput!) {
      updateResourceProvider(input: $input) {
        ... on UpdateResourceProviderPayload {
          resourceProvider {
            ...session_host
          }
        }
        ... on UserError {
          code
          message
        }
      }
    }
  `,
  graphql`
    query sessionAgainQuery($ids: [ID!]!) {
      nodes(ids: $ids) {
        ...session_host @alias(as: "host")
      }
    }
  `,
  graphql`
    mutation sessionCreateMutation($host: ApplyProviderTreeInput!) {
      applyProviderTree(input: $host) {
        ... on ApplyProviderTreePayload {
          root {
            ...session_host
          }
        }
        ... on UserError {
          code
          message
        }
      }
    }
  `,
  graphql`
    mutation sessionClaimMutation($input: SetAllocationsInput!) {
      setAllocations(input: $input) {
        ... on SetAllocationsPayload {
          consumers {
            id
            generation
          }
        }
        ... on UserError {
          code
          message
        }
      }
    }
  `,
  graphql`
    subscription sessionChangedSubscription($host: UUID!) {
      resourceProviderChanged(inTree: { uuid: $host }) {
        resourceProviderId
        deleted
        resourceProvider {
          ...session_host
        }
      }
    }
  `,
  graphql`
    mutation sessionReleaseMutation($consumer: UUID!) {
      deleteConsumer(input: { consumer: $consumer }) {
        ... on DeleteConsumerPayload {
          deletedConsumerId @deleteRecord
        }
        ... on UserError {
          message
        }
      }
    }
  `,
  graphql`
    mutation sessionDeleteMutation($provider: ProviderRef!) {
      deleteResourceProvider(input: { resourceProvider: $provider }) {
        ... on DeleteResourceProviderPayload {
          deletedResourceProviderId @deleteRecord
        }
        ... on UserError {
          message
        }
      }
    }
  `,
];
