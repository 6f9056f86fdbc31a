import { chooseTheme, useThemeChoice, type ThemeChoice } from './theme';

/** Selects the light theme, the dark theme or the preference of the system. */
export function ThemeSwitch() {
  const choice = useThemeChoice();
  return (
    <select
      className="quiet"
      aria-label="Colours"
      value={choice}
      onChange={(event) => chooseTheme(event.currentTarget.value as ThemeChoice)}
    >
      <option value="system">System</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}
