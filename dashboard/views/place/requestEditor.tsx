import { useState, type FormEvent } from 'react';
import { UUID } from '../../components/uuid';
import { CONDITION, GroupEditor } from './groupEditor';
import { emptyGroup, type PlaceGroup, type PlaceRequest } from './placeRequest';
import { ProviderTermList } from './providerTermList';
import { TermList } from './termList';
import { useCatalog, type Catalog } from './useCatalog';

interface RequestEditorProps {
  readonly request: PlaceRequest;
  readonly onRequest: (request: PlaceRequest) => void;
}

/** Builds a request: its groups, and what holds for all of them. */
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
          onRemove={() => setGroups(groups.filter((other) => other !== group))}
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
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (isTaken || isMalformed) return;
    onSuffix(suffix);
    setSuffix('');
  };
  return (
    <form className="term-list" onSubmit={add}>
      <input
        aria-label="Suffix of a new group"
        placeholder="Suffix of a new group, as _NET"
        value={suffix}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={isMalformed}
        onChange={(event) => setSuffix(event.currentTarget.value)}
      />
      <button type="submit" className="small" disabled={isTaken || isMalformed}>
        Add group
      </button>
    </form>
  );
}

interface WholeEditorProps extends RequestEditorProps {
  readonly catalog: Catalog;
}

/** The lists that hold for all groups together. */
const LISTS = [
  {
    part: 'isolate',
    label: 'Groups to isolate, as _A',
    pattern: /^[\w-]{1,64}$/,
    hint: 'The suffix of a group whose provider may serve no other group.',
  },
  {
    part: 'sameSubtree',
    label: 'Same subtree, as _A,_B or _A,_B,!_C',
    pattern: /^!?[\w-]+(,!?[\w-]+)*$/,
    hint: 'Suffixes of groups to be in one subtree; !_C keeps that group out of it.',
  },
  {
    part: 'order',
    label: 'Order, as VCPU:spread',
    pattern: /^[A-Z0-9_]+:(spread|pack)$/,
    hint: 'A class of the request, and spread or pack.',
  },
  {
    part: 'rootRequired',
    label: 'Traits of the root, as A, !A or A|B',
    pattern: CONDITION,
    hint: 'A trait of the host itself; !A forbids it, A|B wants one of them.',
  },
  {
    part: 'near',
    label: 'Near consumers',
    pattern: UUID,
    hint: 'The UUID of a consumer beside which everything is to be.',
  },
  {
    part: 'away',
    label: 'Away from consumers',
    pattern: UUID,
    hint: 'The UUID of a consumer in whose tree nothing is to be.',
  },
] as const;

function WholeEditor({ request, onRequest, catalog }: WholeEditorProps) {
  const classes = request.groups.flatMap(({ resources }) => resources.map((term) => term.split(':')[0]));
  const options = {
    isolate: request.groups.map(({ suffix }) => suffix).filter(Boolean),
    sameSubtree: [],
    order: classes.flatMap((name) => [`${name}:spread`, `${name}:pack`]),
    rootRequired: catalog.traits,
    near: [],
    away: [],
  };
  return (
    <fieldset className="group-editor">
      <legend>All groups</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={request.isIsolated}
          onChange={({ currentTarget }) => onRequest({ ...request, isIsolated: currentTarget.checked })}
        />
        A provider of its own for each group with a suffix
      </label>
      <ProviderTermList
        label="Not in the trees of, as host-00001"
        terms={request.notInTrees}
        hint="The name or UUID of a host of which nothing is to be taken."
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
    </fieldset>
  );
}
