import { onePerClass, readAmount, AMOUNT } from '../../components/terms';
import { TermList } from '../../components/termList';
import { GroupMark } from '../../components/tree/groupMark';
import type { Catalog } from '../../components/useCatalog';
import type { PlaceGroup } from './placeRequest';
import { ProviderTermList } from './providerTermList';

interface GroupEditorProps {
  readonly group: PlaceGroup;
  readonly place: number;
  readonly catalog: Catalog;
  readonly onGroup: (group: PlaceGroup) => void;
  /** Undefined for the only group, which cannot be removed. */
  readonly onRemove?: () => void;
}

/** Edits a request group. */
export function GroupEditor({ group, place, catalog, onGroup, onRemove }: GroupEditorProps) {
  const { suffix, resources, required, memberOf, inTree, split } = group;
  const name = suffix === '' ? 'the unsuffixed group' : suffix;
  const of = ` of ${name}`;
  return (
    <fieldset className="group-editor">
      <legend>
        <GroupMark place={place} suffix={suffix} />
      </legend>
      <TermList
        label="Resources"
        of={of}
        placeholder="VCPU:4"
        terms={resources}
        options={catalog.classes.map((one) => `${one}:1`)}
        pattern={AMOUNT}
        hint="A resource class and an amount, such as VCPU:4."
        onTerms={(terms) => onGroup({ ...group, resources: onePerClass(terms) })}
      />
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
            options={resources.map((term) => readAmount(term).resourceClass)}
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

/** A condition has no comma, because a comma separates terms in the address. */
export const CONDITION = /^(![^,|]+|[^,|!][^,|]*(\|[^,|!][^,|]*)*)$/;
