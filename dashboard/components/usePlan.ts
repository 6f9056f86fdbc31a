import { useEffect, useRef } from 'react';
import type { useAsked } from '../api/useAnswer';
import { useAddress, type AddressChanges } from './addressState';

/** The value of the parameter `plan` while the page shows a plan. */
const SHOWN = 'shown';

/**
 * Keeps in the address whether the plan of an input is shown. A link to the address plans again; Back shows the plan as
 * it was. The input is that of the address.
 */
export function usePlan<Data, Variables extends object>(
  input: Variables | null,
  { ask, forget, ...state }: ReturnType<typeof useAsked<Data, Variables>>,
) {
  const [address, change] = useAddress();
  const given = address.get('plan');
  const isShown = given === SHOWN && input !== null;
  const key = isShown ? JSON.stringify(input) : '';
  const latest = useRef({ input, ask, forget, isFresh: false });
  useEffect(() => {
    latest.current = { ...latest.current, input, ask, forget };
  });
  useEffect(() => {
    const { current } = latest;
    if (key === '') return current.forget();
    void current.ask(current.input!, current.isFresh ? 'network-only' : 'cache-first');
    current.isFresh = false;
  }, [key]);
  return {
    ...state,
    isShown,
    /** A value of the parameter `plan` that is none. */
    unknown: given === SHOWN ? null : given,
    plan: (): void => {
      if (isShown) return void ask(input, 'network-only');
      latest.current.isFresh = true;
      change({ plan: SHOWN }, 'push');
    },
    /** Changes the input. Back leads to the plan that was shown before. */
    edit: (changes: AddressChanges): void => change({ ...changes, plan: null }, isShown ? 'push' : 'replace'),
    /** Removes a plan that was carried out. */
    end: (): void => change({ plan: null }),
  };
}
