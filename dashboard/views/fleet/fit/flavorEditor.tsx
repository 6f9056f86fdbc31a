import { useId, useState, type FormEvent } from 'react';
import { Chip } from '../../../components/chip';
import { readFlavors, writeFlavor, writeFlavors, type Flavor } from './flavors';

interface FlavorEditorProps {
  readonly flavors: readonly Flavor[];
  readonly onFlavors: (flavors: string) => void;
}

/** Adds flavors and takes them away. One of the same name is replaced. */
export function FlavorEditor({ flavors, onFlavors }: FlavorEditorProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [isMalformed, setIsMalformed] = useState(false);
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const [added] = readFlavors(text);
    setIsMalformed(added === undefined);
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
            {`${flavor.name} ${flavor.resources.map(({ amount, resourceClass }) => `${amount} ${resourceClass}`).join(' ')}`}
          </Chip>
        ))}
      </div>
      <form onSubmit={add}>
        <input
          aria-label="Flavor to add"
          aria-describedby={id}
          aria-invalid={isMalformed}
          placeholder="gpu=VCPU:4,VGPU:1"
          value={text}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">Add</button>
      </form>
      <p id={id} className={isMalformed ? 'hint failed' : 'hint'}>
        A name, and amounts of resource classes.
      </p>
    </div>
  );
}
