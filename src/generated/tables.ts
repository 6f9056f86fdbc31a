import type { ColumnType } from "kysely";
export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;
export type Timestamp = ColumnType<Date, Date | string, Date | string>;

export type Aggregate = {
    created_at: string | null;
    updated_at: string | null;
    id: Generated<number>;
    uuid: string | null;
};
export type AggregateName = {
    aggregate_uuid: string;
    name: string;
    created_at: string;
};
export type Allocation = {
    created_at: string | null;
    updated_at: string | null;
    id: Generated<number>;
    resource_provider_id: number;
    /**
     * The consumer's UUID, not consumers.id.
     */
    consumer_id: string;
    resource_class_id: number;
    used: number;
};
export type Consumer = {
    created_at: string | null;
    updated_at: string | null;
    id: Generated<number>;
    uuid: string;
    project_id: number;
    user_id: number;
    generation: Generated<number>;
    /**
     * Null is shown as an unknown type.
     */
    consumer_type_id: number | null;
};
export type ConsumerRequest = {
    consumer_id: number;
    request_id: number;
    /**
     * Null: the consumer is in no workload.
     */
    member_id: number | null;
    created_at: string;
};
export type ConsumerType = {
    created_at: string | null;
    updated_at: string | null;
    id: Generated<number>;
    name: string;
};
export type Consumption = {
    provider_id: number;
    class_id: number;
    counter_provider_id: number;
    counter_class_id: number;
    /**
     * The amount for each allocated unit of the inventory.
     */
    amount: number;
};
export type FeedChange = {
    writer_id: number;
    /**
     * The writer numbers its transactions.
     */
    seq: number;
    /**
     * PROVIDER, CONSUMER, CATALOG (a trait or resource class changed), HEARTBEAT (only the low-watermark is news) or
     * RESET (the database was restored or imported: everything may have changed). Readers ignore other values.
     */
    kind: string;
    /**
     * The id of the provider or consumer, otherwise 0.
     */
    object_id: number;
    /**
     * The lowest number of a transaction of this writer that was in flight. All lower ones have committed or rolled back.
     * 0: this transaction has not committed.
     */
    low_watermark: number;
    created_at: string;
    /**
     * The uuid of the provider or consumer. Null: subscriptions skip the row.
     */
    uuid: string | null;
    /**
     * The generation after the commit. Null: the commit deleted the provider or consumer.
     */
    generation: number | null;
    /**
     * PROVIDER: the root of the provider's tree after the commit.
     */
    root_id: number | null;
    /**
     * PROVIDER: the root of the tree that the provider left.
     */
    former_root_id: number | null;
    /**
     * PROVIDER: what changed, as bits (feed/recordedChanges.ts).
     */
    changes: number | null;
    /**
     * PROVIDER: the change of the usage if nothing else changed (feed/recordedChanges.ts). Null: the provider must be read again.
     */
    usage_change: string | null;
    /**
     * CONSUMER: the project after the commit, or before it if the consumer was deleted.
     */
    project_id: number | null;
    /**
     * CONSUMER: the project that the consumer left for another one.
     */
    former_project_id: number | null;
};
export type FeedWriter = {
    /**
     * Random, so that no process mistakes the row of another one for its own.
     */
    id: number;
    /**
     * The process and its machine, for messages.
     */
    holder: string;
    started_at: string;
    /**
     * When the lease ends unless the process renews it.
     */
    expires_at: string;
    /**
     * The traits of roots that searches of the process exclude, sorted, with commas between. Null: it does not serve, or is of
     * version 1.0.
     */
    excluded_root_traits: string | null;
    /**
     * The version of the program. Null: 1.0.
     */
    version: string | null;
};
export type Hold = {
    /**
     * The consumer's row. It has no foreign key: another program may delete the consumer.
     */
    consumer_id: number;
    expires_at: string;
    /**
     * The generation of the consumer that the hold expects. Another one means that the caller of that write owns the consumer.
     */
    generation: number;
};
export type Inventory = {
    created_at: string | null;
    updated_at: string | null;
    id: Generated<number>;
    resource_provider_id: number;
    resource_class_id: number;
    total: number;
    reserved: number;
    min_unit: number;
    max_unit: number;
    step_size: number;
    allocation_ratio: number;
};
export type KeptConsumer = {
    consumer_id: number;
    created_at: string;
};
export type Ownership = {
    provider_id: number;
    /**
     * PROVIDER, INVENTORY, TRAIT or AGGREGATE.
     */
    kind: string;
    /**
     * The id of the resource class, trait or aggregate. 0: the provider itself.
     */
    object_id: number;
    owner: string;
};
export type Project = {
    created_at: string | null;
    updated_at: string | null;
    id: Generated<number>;
    external_id: string;
};
export type ProviderAggregate = {
    created_at: string | null;
    updated_at: string | null;
    resource_provider_id: number;
    aggregate_id: number;
};
export type ProviderTrait = {
    created_at: string | null;
    updated_at: string | null;
    trait_id: number;
    resource_provider_id: number;
};
export type Quota = {
    id: Generated<number>;
    /**
     * PROJECT, GROUP, or DEFAULT for the projects without their own limit of the class.
     */
    owner_kind: string;
    /**
     * The id of the project or group; 0 for DEFAULT.
     */
    owner_id: number;
    /**
     * -1: the number of consumers.
     */
    class_id: number;
    /**
     * The limit.
     */
    max_used: number;
    created_at: string;
    updated_at: string | null;
};
export type QuotaGroup = {
    id: Generated<number>;
    name: string;
    created_at: string;
};
export type QuotaGroupProject = {
    project_id: number;
    group_id: number;
};
export type QuotaState = {
    id: number;
    /**
     * Every change of quotas or groups adds 1. A transaction that was validated with another version is not committed.
     */
    version: number;
    /**
     * The consumer types that are not counted, with commas between.
     */
    ignored_types: string;
};
export type QuotaUsage = {
    id: Generated<number>;
    /**
     * PROJECT or GROUP.
     */
    owner_kind: string;
    owner_id: number;
    /**
     * -1: the number of consumers.
     */
    class_id: number;
    used: number;
    /**
     * Every write that changes the row adds 1.
     */
    version: number;
};
export type RememberedRequest = {
    id: Generated<number>;
    /**
     * The SHA-256 of the body in hexadecimal digits.
     */
    hash: string;
    /**
     * JSON in the form of AllocationCandidatesInput, without defaults and seed, with sorted keys.
     */
    body: string;
    created_at: string;
};
export type ResourceClass = {
    created_at: string | null;
    updated_at: string | null;
    id: Generated<number>;
    name: string;
};
export type ResourceProvider = {
    created_at: string | null;
    updated_at: string | null;
    id: Generated<number>;
    uuid: string;
    name: string | null;
    /**
     * Starts at 0. Every write that changes the provider's inventories or their usage adds 1.
     */
    generation: number | null;
    /**
     * A root has its own id here.
     */
    root_provider_id: number | null;
    /**
     * A root has none.
     */
    parent_provider_id: number | null;
};
export type Trait = {
    created_at: string | null;
    updated_at: string | null;
    id: Generated<number>;
    name: string;
};
export type User = {
    created_at: string | null;
    updated_at: string | null;
    id: Generated<number>;
    external_id: string;
};
export type Workload = {
    id: Generated<number>;
    project_id: number;
    name: string;
    /**
     * The topology rules of the last claim with the name, as JSON.
     */
    topology: string;
    /**
     * Starts at 1. Every claim with the name adds 1.
     */
    generation: number;
    created_at: string;
    updated_at: string | null;
};
export type WorkloadMember = {
    id: Generated<number>;
    workload_id: number;
    name: string;
    /**
     * The order of the members, from 0.
     */
    position: number;
    /**
     * How the consumers of the member may be placed: ANY, SAME_TREE or DISTINCT_TREES.
     */
    placement: string;
    /**
     * The ids of the alternative requests with commas between, the preferred one first.
     */
    request_ids: string;
};
export type DB = {
    allocations: Allocation;
    consumer_types: ConsumerType;
    consumers: Consumer;
    inventories: Inventory;
    placement_aggregate_names: AggregateName;
    placement_aggregates: Aggregate;
    placement_consumer_requests: ConsumerRequest;
    placement_consumptions: Consumption;
    placement_feed_changes: FeedChange;
    placement_feed_writers: FeedWriter;
    placement_holds: Hold;
    placement_kept_consumers: KeptConsumer;
    placement_ownerships: Ownership;
    placement_quota_group_projects: QuotaGroupProject;
    placement_quota_groups: QuotaGroup;
    placement_quota_state: QuotaState;
    placement_quota_usages: QuotaUsage;
    placement_quotas: Quota;
    placement_requests: RememberedRequest;
    placement_workload_members: WorkloadMember;
    placement_workloads: Workload;
    projects: Project;
    resource_classes: ResourceClass;
    resource_provider_aggregates: ProviderAggregate;
    resource_provider_traits: ProviderTrait;
    resource_providers: ResourceProvider;
    traits: Trait;
    users: User;
};
