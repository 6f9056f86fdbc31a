import type { Theme } from '../../../components/theme';

/**
 * Colours by share in use: eleven steps of 0 to 100 %, then over 100 %, then no capacity. Only the
 * lightness changes from step to step, in about one hue, so that the order is visible without
 * distinguishing hues.
 */
export const SCALES: Readonly<Record<Theme, readonly string[]>> = {
  light: [
    ...['#dde7e8', '#c9dee1', '#afd2d8', '#93c5cf', '#70b2c3', '#4f9db5', '#3586a4'],
    ...['#236e90', '#195778', '#143f5c', '#0e2a42', '#c2521d', '#ffffff'],
  ],
  dark: [
    ...['#2c3842', '#284452', '#215061', '#1f6176', '#23748b', '#33889f', '#4d9db1'],
    ...['#6fb3c2', '#97c9d1', '#c1dfe0', '#ecf6f1', '#f08a4b', '#1c2024'],
  ],
};

export const OVER = 11;
const NO_CAPACITY = 12;

/** Returns the step of a share. A full host has its own step, because nothing fits there. */
export function stepOf(share: number | null): number {
  if (share === null) return NO_CAPACITY;
  if (share > 1) return OVER;
  return Math.floor(share * 10);
}
