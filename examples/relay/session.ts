// What relay-compiler reads, and nothing runs: of each literal it makes a file in `__generated__`, which main.ts imports. (In a program that
// Babel compiles, babel-plugin-relay puts the import in the place of the literal.)
import relay from 'relay-runtime';

const { graphql } = relay;

export const documents = () => [
  graphql`
    fragment session_host on ResourceProvider {
      id
      name
      generation
      inventory(resourceClass: "VCPU") {
        available
      }
    }
  `,
  graphql`
    query sessionHostQuery($name: String!) {
      resourceProvider(by: { name: $name }) {
        ...session_host
        id
        inventory(resourceClass: "VCPU") {
          available
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
    mutation sessionClaimMutation($input: ClaimInput!) {
      claim(input: $input) {
        ... on ClaimPayload {
          claims {
            consumer {
              id
              uuid
              generation
            }
            allocationRequest {
              allocations {
                resourceProvider {
                  ...session_host
                }
              }
            }
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
    mutation sessionDeleteMutation($host: UUID!) {
      deleteResourceProvider(input: { resourceProvider: { uuid: $host } }) {
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
