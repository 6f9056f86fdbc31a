import { useState } from 'react';
import { CompletionInput } from '../../components/completionInput';
import { afterPress } from '../../components/press';
import { amountFault, onePerClass, readAmounts } from '../../components/terms';
import { TermList } from '../../components/termList';
import { GroupMark } from '../../components/tree/groupMark';
import type { Catalog } from '../../components/useCatalog';
import type { PlaceGroup } from './placeRequest';
import { ProviderTermList } from '../../components/providerTermList';

interface GroupEditorProps {
  readonly group: PlaceGroup;
  readonly place: number;
  readonly catalog: Catalog;
  readonly onGroup: (group: PlaceGroup) => void;
  /** Returns what is wrong with a new name, or null. */
  readonly nameFault: (name: string) => string | null;
  readonly onName: (name: string) => void;
  /** The other groups, and whether this one is on the same NUMA node. */
  readonly neighbours: readonly { readonly suffix: string; readonly isOnSameNode: boolean }[];
  readonly onSameNode: (other: string) => void;
  /** Undefined for the only group, which cannot be removed. */
  readonly onRemove?: () => void;
}

/** Edits a request group. */
export function GroupEditor({ group, place, catalog, onGroup, onRemove, ...more }: GroupEditorProps) {
  const { suffix, resources, required, memberOf, inTree, split } = group;
  const name = nameOf(suffix);
  const of = ` of ${name}`;
  return (
    <fieldset className="group-editor">
      <legend>
        <GroupMark place={place} suffix={suffix} />
      </legend>
      <GroupName key={suffix} suffix={suffix} {...more} />
      <TermList
        label="Resources"
        of={of}
        placeholder="VCPU:4"
        terms={resources}
        options={catalog.classes.map((one) => `${one}:1`)}
        faultOf={amountFault}
        hint="A resource class and an amount, such as VCPU:4 or MEMORY_MB:16G."
        onTerms={(terms) => onGroup({ ...group, resources: onePerClass(terms) })}
      />
      <SameNodeButtons name={name} {...more} />
      <details open={[required, memberOf, inTree, split].some(({ length }) => length > 0)}>
        <summary>
          Conditions<span className="visually-hidden">{of}</span>
        </summary>
        <TermList
          label="Traits"
          of={of}
          placeholder="A, !A or A|B"
          terms={required}
          options={catalog.traits}
          pattern={CONDITION}
          hint="A required trait. !A forbids it, A|B requires one of them."
          onTerms={(terms) => onGroup({ ...group, required: terms })}
        />
        <TermList
          label="Aggregates"
          of={of}
          placeholder="A, !A or A|B"
          terms={memberOf}
          options={catalog.aggregates}
          pattern={CONDITION}
          hint="The name or UUID of an aggregate. !A forbids it, A|B requires one of them."
          onTerms={(terms) => onGroup({ ...group, memberOf: terms })}
        />
        <ProviderTermList
          label="Tree"
          of={of}
          placeholder="host-00001"
          terms={inTree}
          isSingle
          hint="The name or UUID of a provider. All providers of the group come from its tree."
          onTerms={(terms) => onGroup({ ...group, inTree: terms })}
        />
        {suffix === '' && (
          <TermList
            label="Classes that may be split"
            placeholder="VCPU"
            terms={split}
            options={readAmounts(resources).map(({ resourceClass }) => resourceClass)}
            hint="A class of the group whose amount may come from several providers."
            onTerms={(terms) => onGroup({ ...group, split: terms })}
          />
        )}
        {onRemove && (
          <button type="button" className="small" onClick={onRemove}>
            Remove {name}
          </button>
        )}
      </details>
    </fieldset>
  );
}

const nameOf = (suffix: string): string => (suffix === '' ? 'the unsuffixed group' : suffix);

interface SameNodeButtonsProps extends Pick<GroupEditorProps, 'neighbours' | 'onSameNode'> {
  /** The name of the group. */
  readonly name: string;
}

/** Puts a group on the NUMA node of another one, or ends that. */
function SameNodeButtons({ name, neighbours, onSameNode }: SameNodeButtonsProps) {
  return neighbours.map(({ suffix, isOnSameNode }) => (
    <button
      key={suffix}
      type="button"
      className="small"
      aria-pressed={isOnSameNode}
      onClick={() => onSameNode(suffix)}
    >
      On the same NUMA node as {nameOf(suffix)}
      <span className="visually-hidden">{` (${name})`}</span>
    </button>
  ));
}

/** Edits the name of a group. */
function GroupName({
  suffix,
  nameFault,
  onName,
}: Pick<GroupEditorProps, 'nameFault' | 'onName'> & { readonly suffix: string }) {
  const [text, setText] = useState(suffix);
  const fault = nameFault(text.trim());
  const rename = (): void => {
    if (fault === null && text.trim() !== suffix) onName(text.trim());
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        rename();
      }}
    >
      <CompletionInput
        label="Name"
        of={` of ${nameOf(suffix)}`}
        placeholder="none"
        value={text}
        aria-invalid={fault !== null}
        onChange={setText}
        onBlur={() => afterPress(rename)}
      />
      {fault !== null && (
        <p className="hint failed" role="alert">
          {fault}
        </p>
      )}
    </form>
  );
}

/** A condition has no comma, because a comma separates terms in the address. */
export const CONDITION = /^(![^,|]+|[^,|!][^,|]*(\|[^,|!][^,|]*)*)$/;
