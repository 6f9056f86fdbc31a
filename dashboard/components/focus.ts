import { useEffect, useRef } from 'react';

/** Moves the focus to the content of the page if it is on no element, so that keys and screen readers continue there. */
function focusContent(): void {
  if (document.activeElement === null || document.activeElement === document.body)
    document.getElementById('content')?.focus({ preventScroll: true });
}

/** Focuses an element again, or the content of the page if the element is gone or disabled. */
export function restoreFocus(element: Element | null): void {
  if (element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true });
  focusContent();
}

/** Moves the focus to the content after a change of the path that removed the focused element. */
export function useFocusOfView(path: string): void {
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current !== path) focusContent();
    shown.current = path;
  }, [path]);
}
