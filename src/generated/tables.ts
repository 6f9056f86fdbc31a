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
export type ConsumerType = {
    created_at: string | null;
    updated_at: string | null;
    id: Generated<number>;
    name: string;
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
export type DB = {
    allocations: Allocation;
    consumer_types: ConsumerType;
    consumers: Consumer;
    inventories: Inventory;
    placement_aggregate_names: AggregateName;
    placement_aggregates: Aggregate;
    placement_feed_changes: FeedChange;
    placement_feed_writers: FeedWriter;
    placement_ownerships: Ownership;
    projects: Project;
    resource_classes: ResourceClass;
    resource_provider_aggregates: ProviderAggregate;
    resource_provider_traits: ProviderTrait;
    resource_providers: ResourceProvider;
    traits: Trait;
    users: User;
};
