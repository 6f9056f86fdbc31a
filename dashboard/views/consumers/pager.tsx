import { useAddress } from '../../components/addressState';
import type { PageEndsFragment } from '../../generated/consumers/operations';
import { FIRST_PAGE, neighboursOf } from './paging';

/** Leads to the pages before and after the shown one. */
export function Pager({ ends }: { readonly ends: PageEndsFragment }) {
  const [address, change] = useAddress();
  const { previous, next } = neighboursOf(ends, address);
  const isFirst = !address.has('after') && !address.has('before');
  if (isFirst && !next) return null;
  return (
    <nav className="pager" aria-label="Pages">
      <button type="button" className="small" disabled={isFirst} onClick={() => change(FIRST_PAGE, 'push')}>
        First
      </button>
      <button
        type="button"
        className="small"
        disabled={!previous}
        onClick={() => previous && change(previous, 'push')}
      >
        Previous
      </button>
      <button type="button" className="small" disabled={!next} onClick={() => next && change(next, 'push')}>
        Next
      </button>
    </nav>
  );
}
