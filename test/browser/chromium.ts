import { chromium, type Browser } from 'playwright-core';
import { prepared } from '../support/prepared.js';

const executablePath = prepared('PLACEMENT_BROWSER');

/** Starts a Chromium that sends no requests of its own. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
