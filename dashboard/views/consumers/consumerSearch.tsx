import { useState, type FormEvent } from 'react';
import { useQuery } from 'urql';
import { useLocation } from 'wouter';
import { useViewer } from '../../api/viewer';
import { useAddress } from '../../components/addressState';
import { CompletionInput } from '../../components/completionInput';
import { formText } from '../../components/formText';
import { isConsumerUuid } from '../../components/uuid';
import { ConsumerCatalogDocument } from '../../generated/consumers/operations';
import { FIRST_PAGE } from './paging';

/** The search term for consumers without a type. Names of types are in upper case. */
export const NO_TYPE = 'none';

/** Finds consumers by their properties and their host, or one by its uuid. */
export function ConsumerSearch() {
  const [address, change] = useAddress();
  const [, navigate] = useLocation();
  const { may } = useViewer();
  const [{ data }] = useQuery({ query: ConsumerCatalogDocument, pause: !may('hosts') });
  const [isMalformed, setIsMalformed] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const uuid = formText(form, 'uuid');
    setIsMalformed(uuid !== '' && !isConsumerUuid(uuid));
    if (isConsumerUuid(uuid)) navigate(`/consumers/${uuid}`);
    else if (uuid === '')
      change(
        { ...FIRST_PAGE, ...Object.fromEntries(FIELDS.map((name) => [name, formText(form, name) || null])) },
        'push',
      );
  };
  const types = data?.consumerTypes?.map(({ name }) => name) ?? [];
  const options: Partial<Record<string, readonly string[]>> = {
    type: [...types, NO_TYPE],
    class: data?.resourceClasses?.map(({ name }) => name),
  };
  return (
    <form className="consumer-search" role="search" onSubmit={submit}>
      <CompletionInput name="uuid" label="UUID" aria-invalid={isMalformed} />
      {FIELDS.filter((name) => name !== 'host' || may('hosts')).map((name) => (
        <CompletionInput
          key={name}
          name={name}
          label={LABELS[name]}
          standard={address.get(name) ?? ''}
          options={options[name]}
        />
      ))}
      <button type="submit" className="primary">
        Find
      </button>
      <p className="hint" role="status">
        {isMalformed && <span className="failed">This is not a UUID.</span>}
      </p>
    </form>
  );
}

const FIELDS = ['project', 'user', 'host', 'type', 'class'] as const;
const LABELS = { project: 'Project', user: 'User', host: 'Host', type: 'Type', class: 'Resource class' };
