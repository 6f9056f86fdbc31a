import { useState, type FormEvent } from 'react';
import { useQuery } from 'urql';
import { useLocation } from 'wouter';
import { useAddress } from '../../components/addressState';
import { CompletionInput } from '../../components/completionInput';
import { isUuid } from '../../components/uuid';
import { ConsumerCatalogDocument } from '../../generated/consumers/operations';
import { FIRST_PAGE } from './paging';

/** Finds consumers without a type. Names of types are in upper case. */
export const NO_TYPE = 'none';

/** Finds consumers by what they belong to and where they are, or one of them by its uuid. */
export function ConsumerSearch() {
  const [address, change] = useAddress();
  const [, navigate] = useLocation();
  const [{ data }] = useQuery({ query: ConsumerCatalogDocument });
  const [isMalformed, setIsMalformed] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string): string => {
      const value = form.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    const uuid = text('uuid');
    setIsMalformed(uuid !== '' && !isUuid(uuid));
    if (isUuid(uuid)) navigate(`/consumers/${uuid}`);
    else if (uuid === '')
      change({
        ...FIRST_PAGE,
        ...Object.fromEntries(FIELDS.map((name) => [name, text(name) || null])),
      });
  };
  const part = (name: string): string => address.get(name) ?? '';
  const classes = data?.resourceClasses?.map(({ name }) => name) ?? [];
  const types = data?.consumerTypes?.map(({ name }) => name) ?? [];
  return (
    <form className="consumer-search" role="search" onSubmit={submit}>
      <input
        name="uuid"
        aria-label="UUID of a consumer"
        placeholder="UUID"
        aria-invalid={isMalformed}
        spellCheck={false}
        autoComplete="off"
      />
      {(['project', 'user', 'host'] as const).map((name) => (
        <input
          key={name}
          name={name}
          aria-label={LABELS[name]}
          placeholder={LABELS[name]}
          defaultValue={part(name)}
          spellCheck={false}
          autoComplete="off"
        />
      ))}
      <CompletionInput
        name="type"
        label="Type"
        standard={part('type')}
        options={[...types, NO_TYPE]}
        onChange={() => undefined}
      />
      <CompletionInput
        name="class"
        label="Resource class"
        standard={part('class')}
        options={classes}
        onChange={() => undefined}
      />
      <button type="submit" className="primary">
        Find
      </button>
      <p className="hint" role="status">
        {isMalformed && <span className="failed">This is no UUID.</span>}
      </p>
    </form>
  );
}

const FIELDS = ['project', 'user', 'host', 'type', 'class'] as const;
const LABELS = { project: 'Project', user: 'User', host: 'Host' } as const;
