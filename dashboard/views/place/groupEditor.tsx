import { GroupMark } from '../../components/tree/groupMark';
import { AMOUNT } from './placeAddress';
import type { PlaceGroup } from './placeRequest';
import { ProviderTermList } from './providerTermList';
import { TermList } from './termList';
import type { Catalog } from './useCatalog';

interface GroupEditorProps {
  readonly group: PlaceGroup;
  readonly place: number;
  readonly catalog: Catalog;
  readonly onGroup: (group: PlaceGroup) => void;
  readonly onRemove: () => void;
}

/** Edits a request group. */
export function GroupEditor({ group, place, catalog, onGroup, onRemove }: GroupEditorProps) {
  const { suffix, resources, required, memberOf, inTree, split } = group;
  const name = suffix === '' ? 'the unsuffixed group' : suffix;
  return (
    <fieldset className="group-editor">
      <legend>
        <GroupMark place={place} suffix={suffix} />
      </legend>
      <TermList
        label={`Resources of ${name}`}
        placeholder="Resources, as VCPU:4"
        terms={resources}
        options={catalog.classes.map((one) => `${one}:1`)}
        pattern={AMOUNT}
        hint="A resource class and an amount, as VCPU:4."
        onTerms={(terms) => onGroup({ ...group, resources: onePerClass(terms) })}
      />
      <TermList
        label={`Traits of ${name}`}
        placeholder="Traits, as A, !A or A|B"
        terms={required}
        options={catalog.traits}
        pattern={CONDITION}
        hint="A trait; !A forbids it, A|B wants one of them."
        onTerms={(terms) => onGroup({ ...group, required: terms })}
      />
      <TermList
        label={`Aggregates of ${name}`}
        placeholder="Aggregates, as A, !A or A|B"
        terms={memberOf}
        options={catalog.aggregates}
        pattern={CONDITION}
        hint="The name or UUID of an aggregate; !A forbids it, A|B wants one of them."
        onTerms={(terms) => onGroup({ ...group, memberOf: terms })}
      />
      <ProviderTermList
        label={`Tree of ${name}`}
        placeholder="In the tree of, as host-00001"
        terms={inTree}
        isSingle
        hint="The name or UUID of a host, or of any provider: all of the group comes from its tree."
        onTerms={(terms) => onGroup({ ...group, inTree: terms })}
      />
      {suffix === '' && (
        <TermList
          label="Classes that may be split"
          terms={split}
          options={resources.map((term) => term.split(':')[0])}
          hint="A class of the group whose amount may come from several providers."
          onTerms={(terms) => onGroup({ ...group, split: terms })}
        />
      )}
      <button type="button" className="small" onClick={onRemove}>
        Remove {name}
      </button>
    </fieldset>
  );
}

/** No comma: it separates terms in the address. */
export const CONDITION = /^(![^,|]+|[^,|!][^,|]*(\|[^,|!][^,|]*)*)$/;

/** The last amount of each class. */
const onePerClass = (terms: readonly string[]): string[] =>
  Array.from(new Map(terms.map((term) => [term.split(':')[0], term])).values());
