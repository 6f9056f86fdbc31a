import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { inputTypeOf, withReferences } from '../support/references.js';
import type { TestDatabase } from '../support/database.js';
import { recordChanges, providerIds } from '../support/changeFeed.js';
import { expectSame, type KeptApi } from './keepAlive.js';
import { commandOf, isOther, kindOf } from './commands.js';
import type { Command, DesiredInput } from './inputs.js';
import { predict, type Prediction } from './model.js';
import { CONSUMERS, PROVIDERS } from './randomInputs.js';
import { compareAudit, compareRead, compareRows, EMPTIED } from './reads.js';
import { compareQuotas } from './quotas.js';
import { ALLOCATION_REQUEST, candidateOf, type AllocationRequestAnswer } from './requests.js';
import { offerOf } from './nextGenerations.js';
import { compareRestAnswer, prefersRest, restRequestOf } from './rest.js';
import { flat } from './randomTree.js';
import { COUNTER, emptyState, type State } from './state.js';
import { placeholder } from './tree.js';
import { CONSUMER, expectedView, PROVIDER, viewOf, viewsOf, type NodeAnswer } from './views.js';
import type { RestRequest } from '../support/httpPost.js';
import { claimInput, nodeId } from '../support/claims.js';

interface Change {
  readonly kind: string;
  readonly uuid: string | null;
  readonly name: string;
}

interface MutationAnswer {
  readonly __typename: string;
  readonly code?: string;
  readonly resourceProvider?: { readonly uuid: string };
  readonly root?: { readonly uuid: string } | null;
  readonly changes?: readonly Change[];
  readonly reshaped?: boolean;
  readonly violations?: readonly {
    readonly code: string;
    readonly resourceProviderUuid: string;
    readonly resourceClassName: string | null;
    readonly consumerUuid: string;
  }[];
  readonly consumers?: readonly { readonly uuid: string; readonly generation: number }[];
  readonly resourceProviders?: readonly { readonly uuid: string; readonly generation: number }[];
  readonly claims?: readonly { readonly allocationRequest: AllocationRequestAnswer }[];
}

/** The fields of a payload that the model checks besides its type. */
const SELECTIONS: Partial<Record<string, string>> = {
  createResourceProvider: 'resourceProvider { uuid }',
  applyProviderTree: 'root { uuid } changes { kind uuid name } reshaped',
  setAllocations: 'consumers { uuid generation }',
  reshape: 'consumers { uuid generation } resourceProviders { uuid generation }',
  rememberRequests: 'consumers { uuid generation }',
  claim: `claims { allocationRequest { ${ALLOCATION_REQUEST} } }`,
};

/** Runs one sequence of steps on a database and its server, and compares them with the model. */
export class Run {
  state: State = emptyState();
  readonly #done: string[] = [];
  /** The objects of mutations that failed since the last comparison. They must be unchanged. */
  #unseen: string[] = [];

  constructor(
    readonly api: KeptApi,
    readonly database: TestDatabase,
    /** The number of results by `field` and code, over all runs. */
    readonly ends: Map<string, number>,
  ) {}

  /** Begins with only the standard catalog. */
  async begin(): Promise<void> {
    const { pool } = this.database;
    const ids = await providerIds(this.database);
    await pool.query('UPDATE resource_providers SET parent_provider_id = NULL, root_provider_id = NULL');
    for (const statement of EMPTIED) await pool.query(statement);
    await recordChanges(this.database, ids);
  }

  async step(seed: number): Promise<void> {
    const kind = kindOf(seed);
    if (kind === 'EXPIRY') return this.#recorded(kind, () => this.#expire(seed));
    if (isOther(kind)) return this.#recorded(kind, () => compareRead(this.api, this.state, kind, seed));
    const command = commandOf(kind, seed, this.state);
    const request = prefersRest(seed) ? restRequestOf(command, this.state) : null;
    if (request === null) return this.#send(command);
    await this.#recorded(`REST ${JSON.stringify(command)}`, () => this.#sendRest(command, request));
  }

  /**
   * Sends the first of several random mutations whose predicted end has not occurred in any run, otherwise the first
   * that the model accepts. The model cannot predict the end of a claim, and takes it for accepted.
   */
  async stepTowardsNew(seeds: readonly number[]): Promise<void> {
    const commands = seeds.flatMap((seed) => {
      const kind = kindOf(seed);
      return isOther(kind) ? [] : [commandOf(kind, seed, this.state)];
    });
    const ends = commands.map((command) =>
      command.field === 'claim' ? 'claim OK' : endOf(command, predict(this.state, command)),
    );
    const firstNew = ends.findIndex((end) => !this.ends.has(end));
    const firstAccepted = ends.findIndex((end) => end.endsWith(' OK'));
    const chosen = commands[firstNew >= 0 ? firstNew : Math.max(firstAccepted, 0)];
    if (chosen !== undefined) await this.#send(chosen);
  }

  #send(command: Command): Promise<void> {
    return this.#recorded(JSON.stringify(command), () => this.#mutate(command));
  }

  async end(): Promise<void> {
    await this.#recorded('end', async () => {
      await compareRead(this.api, this.state, 'WHOLE', 0);
      await compareRows(this.database, this.state);
      await compareAudit(this.api, this.state);
      await compareQuotas(this.api, this.state);
    });
  }

  async #recorded(what: string, work: () => Promise<void>): Promise<void> {
    this.#done.push(what);
    try {
      await work();
    } catch (error) {
      if (error instanceof Error) error.message += `\nafter these steps:\n${this.#done.join('\n')}`;
      throw error;
    }
  }

  async #mutate(command: Command): Promise<void> {
    const { field, input } = command;
    const before = this.state;
    const stated = field === 'claim' ? claimInput(input.request, input.consumers, input.placement) : input;
    const given = withReferences(inputTypeOf(field), withConsumption(stated));
    const answer = await this.api.mutate<MutationAnswer>(field, given, SELECTIONS[field]);
    const found = (answer.claims ?? []).map(({ allocationRequest }) => candidateOf(allocationRequest));
    const predicted = predict(before, command, found);
    const end = endOf(command, predicted);
    this.ends.set(end, (this.ends.get(end) ?? 0) + 1);
    compareAnswer(before, command, predicted, answer);
    this.state = predicted.state;
    this.#learnUuids(answer);
    if (field === 'applyProviderTree' && this.state !== before) await this.#applyAgain(given, answer);
    await this.#compareTouched(before, command);
    if (field === 'setQuotas') await compareQuotas(this.api, this.state);
  }

  async #sendRest(command: Command, request: RestRequest): Promise<void> {
    const before = this.state;
    const answer = await this.api.rest(request);
    const predicted = predict(before, command, [], 'REST');
    const end = `REST ${endOf(command, predicted)}`;
    this.ends.set(end, (this.ends.get(end) ?? 0) + 1);
    compareRestAnswer(predicted, answer);
    this.state = predicted.state;
    const { uuid } = answer.body;
    this.#learnUuids({ __typename: '', ...(uuid !== undefined && { resourceProvider: { uuid } }) });
    await this.#compareTouched(before, command);
  }

  /** Makes the time of a consumer pass, and waits until the server has ended it. */
  async #expire(seed: number): Promise<void> {
    const held = [...this.state.consumers.values()].filter(({ expiresAt }) => expiresAt !== null);
    if (held.length === 0) return;
    const { uuid: consumer } = held[Math.abs(seed) % held.length];
    const { pool } = this.database;
    await pool.query(
      `UPDATE placement_holds SET expires_at = UTC_TIMESTAMP(3)
        WHERE consumer_id = (SELECT id FROM consumers WHERE uuid = ?)`,
      [consumer],
    );
    while ((await pool.query<unknown[]>('SELECT 1 FROM consumers WHERE uuid = ?', [consumer])).length > 0)
      await sleep(20);
    const command: Command = { field: 'deleteConsumer', input: { consumer } };
    const before = this.state;
    this.state = predict(before, command).state;
    await this.#compareTouched(before, command);
  }

  /** Applies a tree a second time, which must change nothing. {@link #compareTouched} compares the state. */
  async #applyAgain(given: object, { root }: MutationAnswer): Promise<void> {
    const again = { ...given, root: { ...(given as { root: object }).root, uuid: root!.uuid } };
    const answer = await this.api.mutate('applyProviderTree', again, SELECTIONS.applyProviderTree);
    expect(answer).toMatchObject({ changes: [], reshaped: false });
  }

  /** Adopts the uuids that the server has generated for providers. */
  #learnUuids({ resourceProvider, changes = [] }: MutationAnswer): void {
    const { providers } = this.state;
    for (const [key, provider] of [...providers]) {
      if (key !== placeholder(provider.name)) continue;
      const uuid = resourceProvider?.uuid ?? changes.find(({ name }) => name === provider.name)!.uuid!;
      providers.delete(key);
      providers.set(uuid, { ...provider, uuid });
      for (const each of providers.values()) if (each.parent === key) each.parent = uuid;
    }
  }

  /**
   * Compares all objects that changed in the model or that the input names. Objects of a failed
   * mutation are compared after the next one that succeeds.
   */
  async #compareTouched(before: State, { input }: Command): Promise<void> {
    const text = JSON.stringify(input);
    const named = [...new Set([...before.providers.keys(), ...PROVIDERS, ...CONSUMERS])].filter((uuid) =>
      text.includes(uuid),
    );
    if (this.state === before) {
      this.#unseen.push(...named);
      return;
    }
    const [old, now] = [viewsOf(before), viewsOf(this.state)];
    const changed = [...old.keys(), ...now.keys()].filter((uuid) => old.get(uuid) !== now.get(uuid));
    const uuids = [...new Set([...changed, ...named, ...this.#unseen])];
    this.#unseen = [];
    if (uuids.length === 0) return;
    const isConsumer = (uuid: string): boolean => CONSUMERS.includes(uuid);
    const ids = uuids.map((uuid) => nodeId(isConsumer(uuid) ? 'Consumer' : 'ResourceProvider', uuid));
    const { nodes } = await this.api.read<{ nodes: (NodeAnswer | null)[] }>(
      `query ($ids: [ID!]!) { nodes(ids: $ids) {
         ... on ResourceProvider { ${PROVIDER} } ... on Consumer { ${CONSUMER} }
       } }`,
      { ids },
    );
    expectSame(
      nodes.map(viewOf),
      uuids.map((uuid) => expectedView(this.state, uuid)),
    );
  }
}

/** Replaces the amounts that inventories consume by lists with the counter of their provider. */
function withConsumption(stated: unknown, provider: object = {}): object {
  if (Array.isArray(stated)) return stated.map((each) => withConsumption(each, provider));
  if (typeof stated !== 'object' || stated === null) return stated as object;
  const { resourceProvider: uuid, name, consumes, ...rest } = stated as Record<string, unknown>;
  const own = typeof uuid === 'string' ? { uuid } : typeof name === 'string' ? { name } : provider;
  const entries = Object.entries(rest).map(([key, each]) => [key, withConsumption(each, own)]);
  const counter = { resourceProvider: own, resourceClass: COUNTER, amount: consumes };
  return {
    ...(uuid !== undefined && { resourceProvider: uuid }),
    ...(name !== undefined && { name }),
    ...(consumes !== undefined && { consumes: consumes === 0 ? [] : [counter] }),
    ...(Object.fromEntries(entries) as object),
  };
}

/** Returns the result of a mutation: its field, and OK or the code of its error. */
function endOf({ field }: Command, { refused }: Prediction): string {
  return `${field} ${refused?.code ?? 'OK'}`;
}

function compareAnswer(before: State, command: Command, predicted: Prediction, answer: MutationAnswer): void {
  if (predicted.refused === null) {
    expect(answer).toMatchObject({ __typename: expect.stringMatching(/Payload$/) as unknown });
    if (command.field === 'applyProviderTree')
      compareChanges(before, predicted.intended, command.input.root, answer);
    if (command.field === 'setAllocations')
      compareStored(predicted.state, answer, { consumers: command.input.consumers });
    if (command.field === 'rememberRequests')
      compareStored(predicted.state, answer, {
        consumers: command.input.consumers.map((consumer) => ({ consumer })),
      });
    if (command.field === 'reshape')
      compareStored(predicted.state, answer, {
        consumers: command.input.allocations,
        resourceProviders: command.input.inventories,
      });
    return;
  }
  const { violations, consumers, ...plain } = predicted.refused.details;
  expect(answer).toMatchObject({ code: predicted.refused.code, ...plain });
  if (violations) {
    const given = answer.violations!.map(
      (each) =>
        `${each.code} ${each.resourceProviderUuid} ${each.resourceClassName ?? 'null'} ${each.consumerUuid}`,
    );
    expect([...new Set(given)].sort()).toEqual(violations);
  }
  if (consumers) expect(answer.consumers!.map(({ uuid }) => uuid).sort()).toEqual(consumers);
}

/** Compares the consumers and providers of a payload: those of the input that exist, in its order. */
function compareStored(
  state: State,
  answer: MutationAnswer,
  named: {
    readonly consumers: readonly { readonly consumer: string }[];
    readonly resourceProviders?: readonly { readonly resourceProvider: string }[];
  },
): void {
  const shown = (stored: { uuid: string; generation: number } | undefined) =>
    stored ? [{ uuid: stored.uuid, generation: stored.generation }] : [];
  expect(answer.consumers).toEqual(
    named.consumers.flatMap(({ consumer }) => shown(state.consumers.get(consumer))),
  );
  expect(answer.resourceProviders).toEqual(
    named.resourceProviders?.flatMap(({ resourceProvider }) => shown(state.providers.get(resourceProvider))),
  );
}

/** Compares the changes, which come in the order of the input, before the deletions. */
function compareChanges(
  before: State,
  intended: State,
  root: DesiredInput,
  { changes, reshaped }: MutationAnswer,
): void {
  const after = [...intended.providers.values()];
  const expected = [
    ...flat(root).flatMap(({ name }) => {
      const each = after.find((provider) => provider.name === name)!;
      const stored = before.providers.get(each.uuid);
      if (!stored) return [`CREATE ${name} ${each.uuid === placeholder(name) ? '' : each.uuid}`];
      return offerOf(stored) === offerOf(each) ? [] : [`UPDATE ${name} ${each.uuid}`];
    }),
    ...[...before.providers.values()]
      .filter(({ uuid }) => !intended.providers.has(uuid))
      .map(({ uuid, name }) => `DELETE ${name} ${uuid}`)
      .sort(),
  ];
  const given = changes!.map(({ kind, name, uuid }) => {
    const isKnown = uuid !== null && (before.providers.has(uuid) || intended.providers.has(uuid));
    return `${kind} ${name} ${isKnown ? uuid : ''}`;
  });
  const deletions = given.filter((change) => change.startsWith('DELETE'));
  const others = given.slice(0, given.length - deletions.length);
  expect([...others, ...deletions.sort()]).toEqual(expected);
  expect(reshaped).toBe(usesOf(before) !== usesOf(intended));
}

/** Returns equal texts for states in which all consumers have the same allocations. */
function usesOf({ consumers }: State): string {
  const uses = [...consumers.values()].flatMap(({ uuid, has }) =>
    Object.entries(has).map(([key, amount]) => `${uuid} ${key} ${amount}`),
  );
  return uses.sort().join();
}
