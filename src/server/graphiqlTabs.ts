/*
 * Requests to the sample cloud, one to a tab of GraphiQL.
 */

const TREE = `# A host of the sample cloud and all that is below it:
# NUMA nodes, network functions, perhaps a VGPU.
query Tree {
  resourceProvider(by: { name: "host-00001" }) {
    name
    uuid
    generation
    inventories { ...Offer }
    traits { name }
    aggregates { uuid }
    descendants {
      name
      parent { name }
      inventories { ...Offer }
      traits { name }
    }
    sharingProviders { name inventories { ...Offer } }
  }
}

fragment Offer on Inventory {
  resourceClass { name }
  total
  reserved
  allocationRatio
  capacity
  used
  available
}
`;

const FREE_CAPACITY = `# How much each host has free, page by page:
# put endCursor into the variable "after" for the next one.
query FreeCapacity($after: String) {
  resourceProviders(
    filter: { rootsOnly: true, forbiddenTraits: "MISC_SHARES_VIA_AGGREGATE" }
    first: 20
    after: $after
  ) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes {
      name
      disk: inventory(resourceClass: "DISK_GB") { available utilization }
      numa: descendants(maxDepth: 1) {
        name
        vcpu: inventory(resourceClass: "VCPU") { available utilization }
        memory: inventory(resourceClass: "MEMORY_MB") { available utilization }
      }
    }
  }
}
`;

const FLAVOR = `# Where could a machine with 4 VCPU, 8 GiB and 20 GB go?
# Each allocation request is a claim ready to send.
query Flavor {
  allocationCandidates(
    request: {
      groups: [
        {
          resources: [
            { resourceClass: "VCPU", amount: 4 }
            { resourceClass: "MEMORY_MB", amount: 8192 }
            { resourceClass: "DISK_GB", amount: 20 }
          ]
        }
      ]
    }
    limit: 5
  ) {
    complete
    allocationRequests {
      allocations {
        resourceProvider { name uuid }
        resources { resourceClass amount }
      }
    }
    providerSummaries {
      resourceProvider { name }
      resources { resourceClass capacity used }
      traitNames
    }
  }
}
`;

const AFFINITY = `# Processors, memory and network functions on two networks,
# all of them below one NUMA node.
query Affinity {
  allocationCandidates(
    request: {
      groups: [
        { resources: [{ resourceClass: "DISK_GB", amount: 20 }] }
        {
          suffix: "_COMPUTE"
          resources: [{ resourceClass: "VCPU", amount: 4 }, { resourceClass: "MEMORY_MB", amount: 8192 }]
        }
        { suffix: "_NUMA", requiredTraits: "HW_NUMA_ROOT" }
        {
          suffix: "_NET1"
          resources: [{ resourceClass: "SRIOV_NET_VF", amount: 1 }]
          requiredTraits: "CUSTOM_PHYSNET_1"
        }
        {
          suffix: "_NET2"
          resources: [{ resourceClass: "SRIOV_NET_VF", amount: 1 }]
          requiredTraits: "CUSTOM_PHYSNET_2"
        }
      ]
      groupPolicy: NONE
      sameSubtree: [{ groups: ["_NUMA", "_COMPUTE", "_NET1", "_NET2"] }]
    }
    limit: 5
  ) {
    complete
    allocationRequests {
      mappings { suffix resourceProviders { name } }
      allocations {
        resourceProvider { name }
        resources { resourceClass amount }
      }
    }
  }
}
`;

const ANTI_AFFINITY = `# Processors on one NUMA node of a host, a network function
# below that node on a card that no other group uses, and a
# second function that is not below the node.
query AntiAffinity {
  allocationCandidates(
    request: {
      groups: [
        {
          suffix: "_COMPUTE"
          resources: [{ resourceClass: "VCPU", amount: 4 }, { resourceClass: "MEMORY_MB", amount: 8192 }]
          # host-00001-numa1 and what is below it
          inSubtree: "019b76db-9260-7dff-9b8a-d1c0890036dc"
        }
        { suffix: "_NEAR", resources: [{ resourceClass: "SRIOV_NET_VF", amount: 1 }] }
        { suffix: "_FAR", resources: [{ resourceClass: "SRIOV_NET_VF", amount: 1 }] }
        { suffix: "_MORE", resources: [{ resourceClass: "SRIOV_NET_VF", amount: 1 }] }
      ]
      sameSubtree: [{ groups: ["_COMPUTE", "_NEAR"], except: ["_FAR"] }]
      isolate: ["_NEAR"]
    }
  ) {
    complete
    allocationRequests {
      mappings { suffix resourceProviders { name } }
      allocations {
        resourceProvider { name }
        resources { resourceClass amount }
      }
    }
  }
}
`;

const SPLIT = `# A machine larger than any NUMA node: its processors and
# its memory may each be spread over the nodes of a host.
query Split {
  allocationCandidates(
    request: {
      groups: [
        {
          resources: [
            { resourceClass: "VCPU", amount: 48 }
            { resourceClass: "MEMORY_MB", amount: 163840 }
            { resourceClass: "DISK_GB", amount: 20 }
          ]
          canSplit: ["VCPU", "MEMORY_MB"]
        }
      ]
    }
    limit: 5
  ) {
    complete
    allocationRequests {
      allocations {
        resourceProvider { name }
        resources { resourceClass amount }
      }
    }
  }
}
`;

const ORDER = `# The five best places for a small machine: on the NUMA nodes
# that are fullest, and of those on the hosts with most disk left.
query Order {
  allocationCandidates(
    request: {
      groups: [
        {
          resources: [
            { resourceClass: "VCPU", amount: 4 }
            { resourceClass: "MEMORY_MB", amount: 8192 }
            { resourceClass: "DISK_GB", amount: 20 }
          ]
        }
      ]
      orderBy: [
        { resourceClass: "VCPU", strategy: PACK }
        { resourceClass: "DISK_GB", strategy: SPREAD }
      ]
    }
    limit: 5
  ) {
    complete
    seed
    allocationRequests {
      allocations {
        resourceProvider { name }
        resources { resourceClass amount }
      }
    }
    providerSummaries {
      resourceProvider { name }
      resources { resourceClass capacity used }
    }
  }
}
`;

const SHARED_STORAGE = `# No host has 5,000 GB of its own: here the disk comes from
# the storage that a rack shares.
query SharedStorage {
  resourceProvider(by: { name: "storage-0001" }) {
    name
    isSharing
    inventory(resourceClass: "DISK_GB") { capacity used available }
    aggregates { uuid resourceProviders(first: 3) { totalCount nodes { name } } }
  }
  allocationCandidates(
    request: {
      groups: [
        {
          resources: [
            { resourceClass: "VCPU", amount: 4 }
            { resourceClass: "MEMORY_MB", amount: 8192 }
            { resourceClass: "DISK_GB", amount: 5000 }
          ]
        }
      ]
    }
    limit: 5
  ) {
    allocationRequests {
      allocations {
        resourceProvider { name root { name } }
        resources { resourceClass amount }
      }
    }
  }
}
`;

const WHY_NOT = `# Why can nobody take five VGPU? How many providers each
# constraint removed, and what came nearest.
query WhyNot {
  allocationCandidates(
    request: { groups: { suffix: "_GPU", resources: { resourceClass: "VGPU", amount: 5 } } }
  ) {
    allocationRequests { mappings { suffix } }
    explanation {
      summary
      satisfiableWhenEmpty
      groups {
        suffix
        considered
        eliminations { constraint detail eliminated remaining }
        remaining
      }
      combination { constraint detail eliminated remaining }
    }
  }
}
`;

const HEADROOM = `# How many more machines of this size fit, claimed one after
# another, and in how many trees at least one. Nothing is claimed.
query Headroom {
  headroom(
    request: {
      groups: {
        resources: [
          { resourceClass: "VCPU", amount: 16 }
          { resourceClass: "MEMORY_MB", amount: 65536 }
          { resourceClass: "DISK_GB", amount: 20 }
        ]
      }
    }
    upTo: 1000
  ) {
    count
    reachedUpTo
    exact
    trees
  }
}
`;

const CREATE = `# A new host. Run it twice: the second answer is a
# DuplicateNameError, and nothing was changed.
mutation Create {
  createResourceProvider(input: { name: "my-first-host" }) {
    ... on CreateResourceProviderPayload {
      resourceProvider { id uuid name generation }
    }
    ... on Error { code message retryable }
  }
}
`;

const CLAIM = `# Two machines, each on a host of its own: searched and claimed
# in one step, both or none. Run it twice: the consumers exist
# then, so that the second answer changes nothing.
mutation Claim {
  claim(
    input: {
      request: {
        groups: [
          { resources: [{ resourceClass: "VCPU", amount: 4 }, { resourceClass: "MEMORY_MB", amount: 8192 }] }
        ]
      }
      consumers: [
        { consumer: "c1a10000-0000-4000-8000-000000000001", projectId: "my-project", userId: "me" }
        { consumer: "c1a10000-0000-4000-8000-000000000002", projectId: "my-project", userId: "me" }
      ]
      placement: DISTINCT_TREES
    }
  ) {
    ... on ClaimPayload {
      claims {
        consumer { uuid generation }
        allocationRequest {
          allocations {
            resourceProvider { name root { name } }
            resources { resourceClass amount }
          }
        }
      }
    }
    ... on Error { code message retryable }
  }
}
`;

const TOTALS = `# What a dashboard plots: the whole fleet, and each aggregate
# with the traits that you name.
query Totals {
  fleet: fleetTotals { nodes { ...Row } }
  zones: fleetTotals(groupBy: AGGREGATE, filter: { resourceClass: "VCPU" }, first: 20) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes { group ...Row }
  }
}

fragment Row on FleetTotal {
  resourceClass { name }
  capacity
  used
  available
  utilization
  providerCount
}
`;

const CONSUMERS = `# Who uses VCPU, and what each project uses in all.
query Consumers($after: String) {
  consumers(filter: { resourceClass: "VCPU", consumerType: "INSTANCE" }, first: 20, after: $after) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes {
      uuid
      projectId
      userId
      allocations { resourceProvider { name } resourceClass { name } used }
    }
  }
  projects { nodes { projectId consumerCount usages { resourceClass { name } used } } }
  consumerTypes { name consumerCount }
}
`;

const AUDIT = `# Everything that is wrong with what is stored: nothing, here.
query Audit {
  audit(first: 20) {
    totalCount
    nodes {
      check
      message
      resourceProvider { name }
      consumer { uuid }
    }
  }
}
`;

const WATCH = `# Every change of a provider as it is committed. Run the tab
# "Create" meanwhile; put a cursor into "since" to go on there.
subscription Watch($since: String) {
  resourceProviderChanged(since: $since) {
    uuid
    generation
    deleted
    cursor
    resourceProvider { name }
  }
}
`;

/** All of them, in the order of the tabs. */
export const TABS = [
  TREE,
  FREE_CAPACITY,
  FLAVOR,
  AFFINITY,
  ANTI_AFFINITY,
  SPLIT,
  ORDER,
  SHARED_STORAGE,
  WHY_NOT,
  HEADROOM,
  CLAIM,
  TOTALS,
  CONSUMERS,
  AUDIT,
  CREATE,
  WATCH,
];
