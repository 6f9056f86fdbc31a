import { useQuery } from 'urql';
import { CompletionInput } from '../../components/completionInput';
import { TraitNamesDocument } from '../../generated/fleet/operations';
import { parseGrouping } from './grouping';

interface GroupingSelectProps {
  /** The grouping in the format of the address. */
  readonly grouping: string;
  readonly onGrouping: (grouping: string) => void;
}

/** Selects the property by which the map groups hosts. */
export function GroupingSelect({ grouping, onGrouping }: GroupingSelectProps) {
  const parsed = parseGrouping(grouping);
  const [{ data }] = useQuery({ query: TraitNamesDocument });
  const traits = data?.traits?.map(({ name }) => name) ?? [];
  const choose = (kind: string): void => {
    if (kind !== 'trait') onGrouping(kind);
    else if (traits.length > 0) onGrouping(traits[0]);
  };
  return (
    <>
      <select
        aria-label="Group hosts"
        value={parsed.kind}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="zone">By named aggregate</option>
        <option value="rack">By unnamed aggregate</option>
        <option value="trait">By trait</option>
        <option value="none">Not grouped</option>
      </select>
      {parsed.kind === 'trait' && <TraitInput trait={parsed.trait} traits={traits} onTrait={onGrouping} />}
    </>
  );
}

interface TraitInputProps {
  readonly trait: string;
  readonly traits: readonly string[];
  readonly onTrait: (trait: string) => void;
}

/** Applies a trait as soon as the typed name is complete. */
function TraitInput({ trait, traits, onTrait }: TraitInputProps) {
  return (
    <CompletionInput
      key={trait}
      label="Trait"
      standard={trait}
      options={traits}
      onChange={(value) => traits.includes(value) && value !== trait && onTrait(value)}
    />
  );
}
