import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { ProviderNamesDocument } from '../../generated/place/operations';
import { TermList, type TermListProps } from '../../components/termList';

/** A list of trees, each by the name or UUID of any of its providers. Names of hosts are completed from those of the server. */
export function ProviderTermList(props: Omit<TermListProps, 'options' | 'pattern' | 'onText'>) {
  const [text, setText] = useState('');
  return <TermList {...props} pattern={PROVIDER} options={useHostNames(text)} onText={setText} />;
}

/** No comma: it separates terms in the address. */
const PROVIDER = /^[^,]{1,200}$/;

/** The pause in typing after which names are searched (ms). */
const REST_MS = 150;

/** The hosts with a text in their own name, or in that of a provider of theirs. */
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
