import { useId, useState, type FormEvent } from 'react';
import { Chip } from '../../../components/chip';
import { CompletionInput } from '../../../components/completionInput';
import { formatAmount } from '../../../components/format';
import { afterPress } from '../../../components/press';
import { flavorFault, readFlavors, writeFlavor, writeFlavors, type Flavor } from './flavors';

interface FlavorEditorProps {
  readonly flavors: readonly Flavor[];
  readonly onFlavors: (flavors: string) => void;
}

/** Adds and removes flavors. A new flavor replaces the flavor of the same name. */
export function FlavorEditor({ flavors, onFlavors }: FlavorEditorProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const add = (): void => {
    const [added] = readFlavors(text);
    setFault(text.trim() === '' ? null : flavorFault(text));
    if (added === undefined) return;
    onFlavors(writeFlavors([...flavors.filter(({ name }) => name !== added.name), added]));
    setText('');
  };
  return (
    <div className="flavor-editor">
      <div className="chips">
        {flavors.map((flavor) => (
          <Chip
            key={flavor.name}
            title={writeFlavor(flavor)}
            onRemove={() => onFlavors(writeFlavors(flavors.filter((other) => other !== flavor)))}
          >
            {`${flavor.name} ${flavor.resources.map(({ amount, resourceClass }) => `${formatAmount(amount)} ${resourceClass}`).join(' ')}`}
          </Chip>
        ))}
      </div>
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          add();
        }}
      >
        <CompletionInput
          label="Flavor to add"
          aria-describedby={id}
          aria-invalid={fault !== null}
          placeholder="gpu=VCPU:4,VGPU:1"
          value={text}
          onChange={setText}
          onBlur={() => afterPress(add)}
        />
        <button type="submit">Add</button>
      </form>
      <p id={id} className={fault === null ? 'hint' : 'hint failed'}>
        {fault ?? 'A name, and amounts of resource classes.'}
      </p>
    </div>
  );
}
