import { useState } from 'react';
import { TermList } from '../../components/termList';
import { useCatalog } from '../../components/useCatalog';
import type { HostProviderFragment } from '../../generated/host/operations';
import { ApplyDialog } from './applyDialog';
import { treeWith } from './desiredTree';

interface ProviderEditorProps {
  readonly tree: readonly HostProviderFragment[];
  readonly provider: HostProviderFragment;
}

/** Edits the traits and the reserved amounts of a provider. */
export function ProviderEditor({ tree, provider }: ProviderEditorProps) {
  const { traits: known } = useCatalog();
  const [traits, setTraits] = useState(() => provider.traits.map(({ name }) => name));
  const [reserved, setReserved] = useState<ReadonlyMap<string, number>>(new Map());
  const [root, setRoot] = useState<ReturnType<typeof treeWith> | null>(null);
  const inventories = provider.inventories.map(({ resourceClass: { name }, ...inventory }) => ({
    resourceClass: name,
    total: inventory.total,
    reserved: reserved.get(name) ?? inventory.reserved,
    minUnit: inventory.minUnit,
    maxUnit: inventory.maxUnit,
    stepSize: inventory.stepSize,
    allocationRatio: inventory.allocationRatio,
  }));
  return (
    <details className="provider-editor">
      <summary>Edit</summary>
      <TermList
        label="Traits"
        terms={traits}
        options={known}
        hint="The name of a trait."
        onTerms={(terms) => setTraits([...terms])}
      />
      {inventories.map(({ resourceClass, total, reserved: amount }) => (
        <label key={resourceClass} className="field">
          <span>Reserved {resourceClass}</span>
          <input
            type="number"
            min="0"
            max={total}
            value={amount}
            onChange={({ currentTarget: { valueAsNumber: value } }) =>
              setReserved(new Map(reserved).set(resourceClass, Math.min(Math.max(value || 0, 0), total)))
            }
          />
        </label>
      ))}
      <button
        type="button"
        className="primary"
        onClick={() => setRoot(treeWith(tree, provider, { traits, inventories }))}
      >
        Preview
      </button>
      {root && (
        <ApplyDialog
          title={`Change ${provider.name}?`}
          action="Apply"
          root={root}
          onDone={() => undefined}
          onClose={() => setRoot(null)}
        />
      )}
    </details>
  );
}
