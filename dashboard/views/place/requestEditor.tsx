import { useId, useState, type FormEvent } from 'react';
import { UUID } from '../../components/uuid';
import { CompletionInput } from '../../components/completionInput';
import { afterPress } from '../../components/press';
import { TermList } from '../../components/termList';
import { readAmounts } from '../../components/terms';
import { useCatalog, type Catalog } from '../../components/useCatalog';
import { CONDITION, GroupEditor } from './groupEditor';
import { isNode, nameFault, nodeOf, removeGroup, renameGroup, toggleSameNode } from './groups';
import { emptyGroup, LEAST_STRANDING, type PlaceGroup, type PlaceRequest } from './placeRequest';
import { ProviderTermList } from '../../components/providerTermList';

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
      <div className="panel-head">
        <h2 id="request">Request</h2>
        <a href="#result" className="to-result">
          To the result
        </a>
      </div>
      {groups.map((group, place) => {
        const { suffix } = group;
        const others = groups.map((other) => other.suffix).filter((other) => other !== suffix);
        return (
          <GroupEditor
            key={place}
            group={group}
            place={place}
            catalog={catalog}
            onGroup={(next) => setGroups(groups.with(place, next))}
            nameFault={(name) => nameFault(name, others)}
            onName={(name) => onRequest(renameGroup(request, suffix, name))}
            neighbours={others
              .slice(0, isNode(request, suffix) ? 0 : place)
              .filter((other) => !isNode(request, other))
              .map((other) => ({
                suffix: other,
                isOnSameNode: nodeOf(request, suffix, other) !== undefined,
              }))}
            onSameNode={(other) => onRequest(toggleSameNode(request, suffix, other))}
            onRemove={groups.length > 1 ? () => onRequest(removeGroup(request, suffix)) : undefined}
          />
        );
      })}
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
  const id = useId();
  const [suffix, setSuffix] = useState('');
  const fault = nameFault(suffix, taken);
  const add = (): void => {
    if (fault !== null) return;
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
        label="Name of a new group"
        placeholder="_GPU"
        value={suffix}
        aria-invalid={suffix !== '' && fault !== null}
        aria-describedby={id}
        onChange={setSuffix}
        onBlur={() => suffix !== '' && afterPress(add)}
      />
      <button type="submit" className="small" tabIndex={-1} disabled={fault !== null}>
        Add group
      </button>
      <p id={id} className="hint failed" role="status" hidden={suffix === '' || fault === null}>
        {fault}
      </p>
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
    pattern: new RegExp(`^([A-Z0-9_]+:(spread|pack)|${LEAST_STRANDING})$`),
    hint: `A class of the request, and spread or pack; ${LEAST_STRANDING}: keeps the most partitions of other classes.`,
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
    readAmounts(resources).map(({ resourceClass }) => resourceClass),
  );
  const options = {
    isolate: request.groups.map(({ suffix }) => suffix).filter(Boolean),
    sameSubtree: [],
    order: [...classes.flatMap((name) => [`${name}:spread`, `${name}:pack`]), LEAST_STRANDING],
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
