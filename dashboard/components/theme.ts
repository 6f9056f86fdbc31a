import { useSyncExternalStore } from 'react';

export type ThemeChoice = 'system' | 'light' | 'dark';
export type Theme = Exclude<ThemeChoice, 'system'>;

const KEY = 'placement-theme';
const CHANGED = 'placement-theme-changed';
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

function readChoice(): ThemeChoice {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function readTheme(): Theme {
  const choice = readChoice();
  if (choice !== 'system') return choice;
  return prefersDark.matches ? 'dark' : 'light';
}

/** The style sheets read the attribute. Without it they follow the preference of the system. */
function applyChoice(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}

export function chooseTheme(choice: ThemeChoice): void {
  localStorage.setItem(KEY, choice);
  applyChoice(choice);
  dispatchEvent(new Event(CHANGED));
}

function subscribe(onChange: () => void): () => void {
  prefersDark.addEventListener('change', onChange);
  addEventListener(CHANGED, onChange);
  return () => {
    prefersDark.removeEventListener('change', onChange);
    removeEventListener(CHANGED, onChange);
  };
}

/** Returns the theme that the user chose in this browser. */
export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, readChoice);

/** Returns the shown theme, for elements that style sheets do not reach, such as a canvas. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, readTheme);

applyChoice(readChoice());
