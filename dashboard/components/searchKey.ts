import { useEffect } from 'react';

/** Focuses the search box of the view when the user presses /. */
export function useSearchKey(): void {
  useEffect(() => {
    const search = (event: KeyboardEvent): void => {
      const isTyping = (event.target as Element).matches('input, textarea, select');
      const input = document.querySelector<HTMLInputElement>('[role=search] input');
      if (event.key !== '/' || isTyping || !input) return;
      event.preventDefault();
      input.focus();
    };
    addEventListener('keydown', search);
    return () => removeEventListener('keydown', search);
  }, []);
}
