import { chromium, type Browser } from 'playwright-core';

/** A Chromium of this machine that asks nobody else for anything. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.PLACEMENT_BROWSER ?? '/usr/bin/chromium',
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
