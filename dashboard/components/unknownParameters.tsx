import { useParameters } from './addressState';

/** Reports the parameters of the address that the page does not know. */
export function UnknownParameters({ known }: { readonly known: RegExp }) {
  const params = useParameters();
  const unknown = Array.from(params.keys()).filter((name) => !known.test(name));
  if (unknown.length === 0) return null;
  return (
    <p className="notice" role="status">
      The page ignores unknown parameters of the address: {unknown.join(', ')}.
    </p>
  );
}
