import type { ColumnType } from "kysely";
export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;
export type Timestamp = ColumnType<Date, Date | string, Date | string>;

export type Aggregate = {
    created_at: Date | null;
    updated_at: Date | null;
    id: Generated<number>;
    uuid: string | null;
};
export type AggregateName = {
    aggregate_uuid: string;
    name: string;
    created_at: Date;
};
export type Allocation = {
    created_at: Date | null;
    updated_at: Date | null;
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
    created_at: Date | null;
    updated_at: Date | null;
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
    created_at: Date | null;
    updated_at: Date | null;
    id: Generated<number>;
    name: string;
};
export type FeedChange = {
    writer_id: number;
    seq: number;
    provider_id: number;
    settled: number;
    created_at: Date;
    /**
     * Null: the row tells those who watch nothing.
     */
    uuid: string | null;
    /**
     * After the commit; null when the provider is gone.
     */
    generation: number | null;
    /**
     * Of its tree after the commit.
     */
    root_id: number | null;
    /**
     * Of the tree that it left.
     */
    former_root_id: number | null;
    /**
     * What was changed of it, as bits; null: the version that wrote it does not say.
     */
    kinds: number | null;
    /**
     * By how much more is in use of it, where the commit changed nothing else (feed/usage.ts); null: it has to be read again.
     */
    usage_change: string | null;
    /**
     * The row is about this consumer: `provider_id` is below -1 then, and `generation` its own, null when it is gone.
     */
    consumer_id: number | null;
    consumer_uuid: string | null;
    /**
     * Of the consumer after the commit, or before it where it is gone.
     */
    project_id: number | null;
    /**
     * Of the project that it left for another one.
     */
    former_project_id: number | null;
};
export type FeedEpoch = {
    epoch: number;
    started_at: Date;
};
export type FeedWriter = {
    id: Generated<number>;
    started_at: Date;
};
export type Inventory = {
    created_at: Date | null;
    updated_at: Date | null;
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
export type Project = {
    created_at: Date | null;
    updated_at: Date | null;
    id: Generated<number>;
    external_id: string;
};
export type ProviderAggregate = {
    created_at: Date | null;
    updated_at: Date | null;
    resource_provider_id: number;
    aggregate_id: number;
};
export type ProviderTrait = {
    created_at: Date | null;
    updated_at: Date | null;
    trait_id: number;
    resource_provider_id: number;
};
export type ResourceClass = {
    created_at: Date | null;
    updated_at: Date | null;
    id: Generated<number>;
    name: string;
};
export type ResourceProvider = {
    created_at: Date | null;
    updated_at: Date | null;
    id: Generated<number>;
    uuid: string;
    name: string | null;
    /**
     * Starts at 0; every write that changes the offer or its use adds 1.
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
    created_at: Date | null;
    updated_at: Date | null;
    id: Generated<number>;
    name: string;
};
export type User = {
    created_at: Date | null;
    updated_at: Date | null;
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
    placement_feed_epochs: FeedEpoch;
    placement_feed_writers: FeedWriter;
    projects: Project;
    resource_classes: ResourceClass;
    resource_provider_aggregates: ProviderAggregate;
    resource_provider_traits: ProviderTrait;
    resource_providers: ResourceProvider;
    traits: Trait;
    users: User;
};
