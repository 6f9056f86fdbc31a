import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useMutation } from 'urql';
import { failureOf, type Failure } from '../../api/client';
import { ActionDialog } from '../../components/actionDialog';
import { FailureText } from '../../components/failureText';
import { LoadingState } from '../../components/states';
import {
  ApplyTreeDocument,
  type ApplyTreeMutation,
  type DesiredProviderInput,
} from '../../generated/host/operations';

type Changes = Extract<
  ApplyTreeMutation['applyProviderTree'],
  { __typename: 'ApplyProviderTreePayload' }
>['changes'];

interface ApplyDialogProps {
  readonly title: string;
  /** The word on the button, as "Apply". */
  readonly action: string;
  readonly root: DesiredProviderInput;
  /** A further step after the change of the tree. */
  readonly then?: () => Promise<Failure | null>;
  /** An explanation in addition to the list of changes. */
  readonly children?: ReactNode;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Shows the result of a dry run of a change of a tree, and makes the change when it is confirmed. */
export function ApplyDialog({ title, action, root, then, children, onDone, onClose }: ApplyDialogProps) {
  const [, apply] = useMutation(ApplyTreeDocument);
  const [changes, setChanges] = useState<Changes | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    void apply({ input: { root, dryRun: true } }).then(({ data, error }) => {
      const answer = data?.applyProviderTree;
      setFailure(failureOf(error, answer));
      if (answer?.__typename === 'ApplyProviderTreePayload') setChanges(answer.changes);
    });
  }, [apply, root]);
  const isApplied = useRef(false);
  const run = async (): Promise<Failure | null> => {
    if (!isApplied.current) {
      const { data, error } = await apply({ input: { root } });
      const reason = failureOf(error, data?.applyProviderTree);
      if (reason !== null) return reason;
      isApplied.current = true; // a retry only repeats the further step
    }
    const reason = (await then?.()) ?? null;
    if (reason === null) onDone();
    return reason;
  };
  return (
    <ActionDialog title={title} action={action} run={run} canRun={changes !== null} onClose={onClose}>
      {children}
      {changes?.length === 0 && <p className="muted">No other provider changes.</p>}
      <ul className="dialog-list">
        {changes?.map(({ kind, name }) => (
          <li key={name}>
            {VERBS[kind]} <b>{name}</b>
          </li>
        ))}
      </ul>
      {failure && <FailureText failure={failure} />}
      {!changes && !failure && <LoadingState />}
    </ActionDialog>
  );
}

const VERBS: Readonly<Record<Changes[number]['kind'], string>> = {
  CREATE: 'Creates',
  UPDATE: 'Changes',
  DELETE: 'Deletes',
};
