import { useState, type ComponentProps, type FormEvent } from 'react';
import { useViewer } from '../../../api/viewer';
import { CompletionInput } from '../../../components/completionInput';
import { ConfirmDialog } from '../../../components/confirmDialog';
import { HostLink } from '../../../components/destination';
import { FailureText } from '../../../components/failureText';
import { formatAmounts, formatCount, formatShare } from '../../../components/format';
import { formText } from '../../../components/formText';
import { ProjectLink } from '../../../components/projectLink';
import { GrowForm } from './growForm';
import { RoomMoves } from './roomMoves';
import type { PlannedWorkload } from './usePlannedWorkload';
import { useClaim, type ClaimResult } from '../useClaim';

type Plans = PlannedWorkload['plans'];
type Plan = Plans['plans'][number];
type Planned = Plan['consumers'][number];

interface WorkloadResultProps extends PlannedWorkload {
  /** Whether the input has the consumers of a named workload. */
  readonly isGrown: boolean;
  readonly onPlan: () => void;
}

/** A plan by rack and host, or the reason why there is none. */
export function WorkloadResult({
  plans: { outcome, failure, plans, totalsBefore },
  input,
  isGrown,
  onPlan,
}: WorkloadResultProps) {
  const plan = plans.at(0);
  if (!plan)
    return (
      <div role="status">
        <p className="failed">
          {outcome === 'UNDECIDED'
            ? 'The search ended before it found a placement or a proof.'
            : failure?.message}
        </p>
        {failure?.explanation && <p>{failure.explanation.summary}</p>}
        {failure && (
          <p className="muted">
            {failure.fitIsLargest ? 'At most these fit: ' : 'These fit: '}
            {failure.members.map(({ name, fit, requested }) => `${fit} of ${requested} ${name}`).join(', ')}.
          </p>
        )}
      </div>
    );
  return (
    <>
      <p role="status">
        {formatCount(plan.consumers.length, 'consumer')} fit.{' '}
        {plan.optimal ? 'The placement is proven best.' : 'A better placement may exist.'}
        {isGrown && ` ${formatCount(plan.movedCount, 'existing consumer')} would move.`}
      </p>
      {plan.moves.length > 0 && <RoomMoves moves={plan.moves} onMoved={onPlan} />}
      <PlacementByRack plan={plan} />
      <p className="muted">{changesOf(totalsBefore, plan.totalsAfter)}</p>
      {plan.moves.length === 0 &&
        (isGrown ? (
          <GrowForm key={plan.seed} plan={plan} input={input} onPlan={onPlan} />
        ) : (
          <ClaimForm key={plan.consumers[0].consumerUuid} plan={plan} onPlan={onPlan} />
        ))}
    </>
  );
}

/** The consumers by the aggregates of their host, then by host. */
function PlacementByRack({ plan }: { readonly plan: Plan }) {
  const racks = groupBy(plan.consumers, (one) =>
    rootOf(one)
      .aggregates.map(({ uuid, name }) => name ?? `rack ${uuid.slice(-8)}`)
      .sort()
      .join(', '),
  );
  return Array.from(racks, ([rack, consumers]) => (
    <section key={rack} className="rack" aria-label={rack}>
      <h3>
        {rack || 'In no aggregate'} <span className="muted">{formatCount(consumers.length, 'consumer')}</span>
      </h3>
      {Array.from(
        groupBy(consumers, (one) => rootOf(one).name),
        ([host, placed]) => (
          <div key={host}>
            <b>
              <HostLink name={host} />
            </b>
            <ul className="dialog-list">
              {placed.map(({ consumerUuid, member, allocationRequest: { allocations } }) => (
                <li key={consumerUuid}>
                  {member}:{' '}
                  {allocations
                    .map(
                      ({ resourceProvider, resources }) =>
                        `${formatAmounts(resources)} of ${resourceProvider.name}`,
                    )
                    .join('; ')}
                </li>
              ))}
            </ul>
          </div>
        ),
      )}
    </section>
  ));
}

const rootOf = ({ allocationRequest: { allocations } }: Planned) =>
  (allocations.find(({ resourceProvider }) => !resourceProvider.isSharing) ?? allocations[0]).resourceProvider
    .root;

function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function changesOf(before: Plans['totalsBefore'], after: Plan['totalsAfter']): string {
  const shareOf = ({ used, capacity }: Plan['totalsAfter'][number]): string => formatShare(used / capacity);
  const changes = after.flatMap((total) => {
    const { name } = total.resourceClass;
    const earlier = before.find(({ resourceClass }) => resourceClass.name === name);
    return earlier && earlier.used !== total.used ? [`${name} ${shareOf(earlier)} → ${shareOf(total)}`] : [];
  });
  return `Use of the fleet: ${changes.join(', ')}.`;
}

interface Owner {
  readonly projectId: string;
  readonly userId: string;
}

/** Claims exactly the planned candidates, for all consumers or none. */
function ClaimForm({ plan, onPlan }: { readonly plan: Plan; readonly onPlan: () => void }) {
  const { may } = useViewer();
  const { claim, isBusy, failure, mayBeClaimed } = useClaim();
  /** The project of the last attempt; while the result of an earlier one is unknown, the project of that one. */
  const [project, setProject] = useState<string | null>(null);
  const [result, setResult] = useState<ClaimResult>(null);
  const [asked, setAsked] = useState<Owner | null>(null);
  if (!may('allocate')) return null;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setAsked({ projectId: formText(form, 'project'), userId: formText(form, 'user') });
  };
  const run = async (owner: Owner): Promise<void> => {
    const consumers = plan.consumers.map(({ consumerUuid, allocationRequest: { claimToken } }) => ({
      consumer: consumerUuid,
      ...owner,
      allocations: { claimToken },
    }));
    const next = await claim(consumers);
    setAsked(null);
    setResult(next);
    if (next === 'now' || !mayBeClaimed) setProject(owner.projectId);
  };
  if (result !== null && project !== null)
    return (
      <p className="claimed" role="status">
        Claimed{result === 'earlier' && ' by the earlier attempt'} for{' '}
        {formatCount(plan.consumers.length, 'consumer')} of project <ProjectLink id={project} />.
      </p>
    );
  return (
    <>
      <form className="workload-form" onSubmit={submit}>
        <CompletionInput name="project" label="Project of the workload" required />
        <CompletionInput name="user" label="User of the workload" required />
        <button type="submit" className="primary" disabled={isBusy}>
          Claim the workload
        </button>
      </form>
      {asked && (
        <ClaimQuestion
          plan={plan}
          projectId={asked.projectId}
          isBusy={isBusy}
          onConfirm={() => void run(asked)}
          onCancel={() => setAsked(null)}
        />
      )}
      {failure && <FailureText failure={failure} />}
      {mayBeClaimed && project !== null && (
        <p className="muted">
          The claim may exist in the project <ProjectLink id={project} />. A retry claims for the same
          consumers, so nothing is claimed twice.
        </p>
      )}
      {failure && !mayBeClaimed && (
        <button type="button" className="small" onClick={onPlan}>
          Plan again
        </button>
      )}
    </>
  );
}

interface ClaimQuestionProps extends Pick<
  ComponentProps<typeof ConfirmDialog>,
  'isBusy' | 'onConfirm' | 'onCancel'
> {
  readonly plan: Plan;
  readonly projectId: string;
}

/** Asks whether to claim a plan, and shows how many consumers each host receives. */
function ClaimQuestion({ plan, projectId, ...actions }: ClaimQuestionProps) {
  return (
    <ConfirmDialog title="Claim this workload?" action="Claim" {...actions}>
      <p>
        {formatCount(plan.consumers.length, 'new consumer')} of project {projectId} receive exactly the
        planned allocations, or none if they no longer fit:
      </p>
      <ul className="dialog-list">
        {Array.from(
          groupBy(plan.consumers, (one) => rootOf(one).name),
          ([host, placed]) => (
            <li key={host}>
              <b>{host}</b>:{' '}
              {Array.from(
                groupBy(placed, ({ member }) => member),
                ([member, all]) => `${all.length} ${member}`,
              ).join(', ')}
            </li>
          ),
        )}
      </ul>
    </ConfirmDialog>
  );
}
