import { useState, type FormEvent } from 'react';
import { UUID } from '../../components/uuid';
import { CompletionInput } from '../../components/completionInput';
import { afterPress } from '../../components/press';
import { TermList } from '../../components/termList';
import { readAmount } from '../../components/terms';
import { useCatalog, type Catalog } from '../../components/useCatalog';
import { CONDITION, GroupEditor } from './groupEditor';
import { emptyGroup, type PlaceGroup, type PlaceRequest } from './placeRequest';
import { ProviderTermList } from './providerTermList';

interface RequestEditorProps {
  readonly request: PlaceRequest;
  readonly onRequest: (request: PlaceRequest) => void;
}

/** Edits a request: its groups, and the conditions on all of them. */
export function RequestEditor({ request, onRequest }: RequestEditorProps) {
  const catalog = useCatalog();
  const { groups } = request;
  const setGroups = (next: readonly PlaceGroup[]): void => onRequest({ ...request, groups: next });
  return (
    <section className="panel request-editor" aria-labelledby="request">
      <h2 id="request">Request</h2>
      {groups.map((group, place) => (
        <GroupEditor
          key={group.suffix}
          group={group}
          place={place}
          catalog={catalog}
          onGroup={(next) => setGroups(groups.with(place, next))}
          onRemove={
            groups.length > 1 ? () => setGroups(groups.filter((other) => other !== group)) : undefined
          }
        />
      ))}
      <GroupAdder
        taken={groups.map(({ suffix }) => suffix)}
        onSuffix={(suffix) => setGroups([...groups, emptyGroup(suffix)])}
      />
      <WholeEditor request={request} onRequest={onRequest} catalog={catalog} />
    </section>
  );
}

interface GroupAdderProps {
  readonly taken: readonly string[];
  readonly onSuffix: (suffix: string) => void;
}

function GroupAdder({ taken, onSuffix }: GroupAdderProps) {
  const [suffix, setSuffix] = useState('');
  const isTaken = taken.includes(suffix);
  const isMalformed = !/^[A-Za-z0-9_-]{0,64}$/.test(suffix);
  const add = (): void => {
    if (isTaken || isMalformed) return;
    onSuffix(suffix);
    setSuffix('');
  };
  return (
    <form
      className="term-list"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        add();
      }}
    >
      <CompletionInput
        label="Suffix of a new group"
        placeholder="_NET"
        value={suffix}
        aria-invalid={isMalformed}
        onChange={setSuffix}
        onBlur={() => suffix !== '' && afterPress(add)}
      />
      <button type="submit" className="small" tabIndex={-1} disabled={isTaken || isMalformed}>
        Add group
      </button>
    </form>
  );
}

interface WholeEditorProps extends RequestEditorProps {
  readonly catalog: Catalog;
}

/** The lists of conditions on all groups together. */
const LISTS = [
  {
    part: 'isolate',
    label: 'Isolated groups',
    placeholder: '_A',
    pattern: /^[\w-]{1,64}$/,
    hint: 'The suffix of a group whose provider may serve no other group.',
  },
  {
    part: 'sameSubtree',
    label: 'Same subtree',
    placeholder: '_A,_B or _A,_B,!_C',
    pattern: /^!?[\w-]+(,!?[\w-]+)*$/,
    hint: 'Suffixes of groups in one subtree. !_C keeps that group out of it.',
  },
  {
    part: 'order',
    label: 'Order',
    placeholder: 'VCPU:spread; default: fewest providers',
    pattern: /^[A-Z0-9_]+:(spread|pack)$/,
    hint: 'A class of the request, and spread or pack.',
  },
  {
    part: 'rootRequired',
    label: 'Traits of the root',
    placeholder: 'A, !A or A|B',
    pattern: CONDITION,
    hint: 'A required trait of the host itself. !A forbids it, A|B requires one of them.',
  },
  {
    part: 'near',
    label: 'Near consumers',
    placeholder: 'UUID',
    pattern: UUID,
    hint: 'The UUID of a consumer. Everything comes from its tree.',
  },
  {
    part: 'away',
    label: 'Away from consumers',
    placeholder: 'UUID',
    pattern: UUID,
    hint: 'The UUID of a consumer. Nothing comes from its tree.',
  },
] as const;

function WholeEditor({ request, onRequest, catalog }: WholeEditorProps) {
  const classes = request.groups.flatMap(({ resources }) =>
    resources.map((term) => readAmount(term).resourceClass),
  );
  const options = {
    isolate: request.groups.map(({ suffix }) => suffix).filter(Boolean),
    sameSubtree: [],
    order: classes.flatMap((name) => [`${name}:spread`, `${name}:pack`]),
    rootRequired: catalog.traits,
    near: [],
    away: [],
  };
  const { isIsolated, inMaintenance, notInTrees } = request;
  const isUsed =
    isIsolated ||
    inMaintenance ||
    [notInTrees, ...LISTS.map(({ part }) => request[part])].some(({ length }) => length > 0);
  return (
    <details className="group-editor" open={isUsed}>
      <summary>Conditions on all groups</summary>
      <Check
        label="Each group with a suffix has its own provider"
        isChecked={isIsolated}
        onCheck={(next) => onRequest({ ...request, isIsolated: next })}
      />
      <Check
        label="Hosts in maintenance, too"
        isChecked={inMaintenance}
        onCheck={(next) => onRequest({ ...request, inMaintenance: next })}
      />
      <ProviderTermList
        label="Excluded trees"
        placeholder="host-00001"
        terms={notInTrees}
        hint="The name or UUID of a provider. Nothing comes from its tree."
        onTerms={(terms) => onRequest({ ...request, notInTrees: terms })}
      />
      {LISTS.map(({ part, ...list }) => (
        <TermList
          key={part}
          {...list}
          terms={request[part]}
          options={options[part]}
          onTerms={(terms) => onRequest({ ...request, [part]: terms })}
        />
      ))}
    </details>
  );
}

interface CheckProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onCheck: (isChecked: boolean) => void;
}

function Check({ label, isChecked, onCheck }: CheckProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
