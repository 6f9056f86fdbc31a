let isPressed = false;
addEventListener('mousedown', () => (isPressed = true), true);
addEventListener('mouseup', () => (isPressed = false), true);

/**
 * Runs an action when no button of the mouse is down. Otherwise the page could move between the press and the release, and the
 * click would miss its target. The click itself comes after the action.
 */
export function afterPress(action: () => void): void {
  if (!isPressed) action();
  else addEventListener('mouseup', action, { once: true });
}
