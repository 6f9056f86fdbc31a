import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { ProviderNamesDocument } from '../generated/common/operations';
import { TermList, type TermListProps } from './termList';

/**
 * A list of trees, each by the name or UUID of any of its providers. Suggests the names of hosts
 * that the server returns.
 */
export function ProviderTermList(props: Omit<TermListProps, 'options' | 'pattern' | 'onText'>) {
  const [text, setText] = useState('');
  return <TermList {...props} pattern={PROVIDER} options={useHostNames(text)} onText={setText} />;
}

/** A name has no comma, because a comma separates terms in the address. */
const PROVIDER = /^[^,]{1,200}$/;

/** The pause in typing after which names are searched (ms). */
const REST_MS = 150;

/** Returns the hosts whose own name, or the name of one of their providers, has the text. */
function useHostNames(text: string): readonly string[] {
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const [{ data }] = useQuery({
    query: ProviderNamesDocument,
    variables: { text: asked },
    pause: asked === '',
  });
  if (asked === '' || !data) return [];
  return Array.from(new Set(data.resourceProviders?.nodes.map(({ root }) => root.name)));
}
