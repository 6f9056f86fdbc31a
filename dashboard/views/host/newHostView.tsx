import { useState } from 'react';
import { useLocation } from 'wouter';
import { Chips } from '../../components/chip';
import { hostPath } from '../../components/hostPath';
import { CompletionInput } from '../../components/completionInput';
import { amountFault, onePerClass, readAmounts, referenceTo } from '../../components/terms';
import { TermList } from '../../components/termList';
import { useCatalog } from '../../components/useCatalog';
import { ViewHead } from '../../components/viewHead';
import type { DesiredProviderInput } from '../../generated/host/operations';
import { ApplyDialog } from './applyDialog';
import './host.css';

/** Adds a host of one provider. */
export default function NewHostView() {
  const catalog = useCatalog();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const [amounts, setAmounts] = useState<readonly string[]>([]);
  const [traits, setTraits] = useState<readonly string[]>([]);
  const [aggregates, setAggregates] = useState<readonly string[]>([]);
  const [root, setRoot] = useState<DesiredProviderInput | null>(null);
  const preview = (): void =>
    setRoot({
      name: name.trim(),
      inventories: readAmounts(amounts).map(({ resourceClass, amount: total }) => ({ resourceClass, total })),
      traits: [...traits],
      aggregates: aggregates.map(referenceTo),
    });
  return (
    <div className="view">
      <ViewHead title="Add a host" />
      <section className="panel new-host" aria-label="The host">
        <CompletionInput label="Name" placeholder="host-00001" value={name} onChange={setName} />
        <TermList
          label="Inventories"
          placeholder="VCPU:64"
          terms={amounts}
          options={catalog.classes.map((one) => `${one}:1`)}
          faultOf={amountFault}
          hint="A resource class and its total, such as VCPU:64 or MEMORY_MB:256G."
          onTerms={(terms) => setAmounts(onePerClass(terms))}
        />
        <TermList
          label="Traits"
          placeholder="HW_CPU_X86_AVX2"
          terms={traits}
          options={catalog.traits}
          hint="The name of a trait."
          onTerms={setTraits}
        />
        <TermList
          label="Aggregates"
          placeholder="zone-01"
          terms={aggregates}
          options={catalog.aggregates}
          hint="The name or the UUID of an aggregate."
          onTerms={setAggregates}
        />
        <button type="button" className="primary" disabled={name.trim() === ''} onClick={preview}>
          Preview
        </button>
      </section>
      {root && (
        <ApplyDialog
          title={`Add ${root.name}?`}
          action="Add"
          root={root}
          onDone={() => navigate(hostPath(root.name))}
          onClose={() => setRoot(null)}
        >
          <Parts title="Inventories" names={amounts} />
          <Parts title="Traits" names={traits} />
          <Parts title="Aggregates" names={aggregates} />
        </ApplyDialog>
      )}
    </div>
  );
}

/** The parts of the new host that one list has. */
function Parts({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  return (
    <div className="new-parts">
      <h3>{title}</h3>
      <Chips names={names} />
    </div>
  );
}
