import { useState } from 'react';
import { TermList } from '../../components/termList';
import { useCatalog } from '../../components/useCatalog';
import type { HostProviderFragment } from '../../generated/host/operations';
import { EditDialog, type ProviderEdit } from './editDialog';

interface ProviderEditorProps {
  readonly provider: HostProviderFragment;
}

/** The unsaved changes of a provider. They stay the same when the provider changes. */
interface Draft {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The new reserved amounts by resource class. */
  readonly reserved: ReadonlyMap<string, number>;
}

const NO_CHANGES: Draft = { added: [], removed: [], reserved: new Map() };

/** Edits the traits and the reserved amounts of a provider. */
export function ProviderEditor({ provider }: ProviderEditorProps) {
  const { traits: known } = useCatalog();
  const [draft, setDraft] = useState(NO_CHANGES);
  const [edit, setEdit] = useState<ProviderEdit | null>(null);
  const stored = provider.traits.map(({ name }) => name);
  const { added, removed, reserved } = draft;
  const traits = [
    ...stored.filter((name) => !removed.includes(name)),
    ...added.filter((name) => !stored.includes(name)),
  ];
  const setTraits = (terms: readonly string[]): void =>
    setDraft({
      ...draft,
      added: terms.filter((name) => !stored.includes(name)),
      removed: stored.filter((name) => !terms.includes(name)),
    });
  return (
    <details className="provider-editor">
      <summary>Edit</summary>
      <TermList
        label="Traits"
        terms={traits}
        options={known}
        hint="The name of a trait."
        onTerms={setTraits}
      />
      {provider.inventories.map(({ resourceClass: { name }, total, reserved: amount }) => (
        <label key={name} className="field">
          <span>Reserved {name}</span>
          <input
            type="number"
            min="0"
            max={total}
            value={reserved.get(name) ?? amount}
            onChange={({ currentTarget: { valueAsNumber: value } }) => {
              const next = Math.min(Math.max(value || 0, 0), total);
              setDraft({ ...draft, reserved: new Map(reserved).set(name, next) });
            }}
          />
        </label>
      ))}
      <button type="button" className="primary" onClick={() => setEdit(editOf(draft, provider))}>
        Preview
      </button>
      {edit && (
        <EditDialog
          title={`Change ${provider.name}?`}
          action="Apply"
          provider={provider}
          edit={edit}
          onDone={() => setDraft(NO_CHANGES)}
          onClose={() => setEdit(null)}
        />
      )}
    </details>
  );
}

/** Returns the changes of a draft that differ from the stored provider. */
function editOf({ added, removed, reserved }: Draft, { traits, inventories }: HostProviderFragment) {
  const stored = new Set(traits.map(({ name }) => name));
  return {
    traits: {
      add: added.filter((name) => !stored.has(name)),
      remove: removed.filter((name) => stored.has(name)),
    },
    inventories: {
      patch: inventories.flatMap(({ resourceClass: { name }, reserved: before }) => {
        const amount = reserved.get(name) ?? before;
        return amount === before ? [] : [{ resourceClass: name, reserved: amount }];
      }),
    },
  };
}
