import { defineConfig } from '@playwright/test';
import { browserToDrive } from './scripts/test/browser.ts';

/** Journeys to every page there is. */
const TO_EVERY_PAGE = ['whole-site', 'walk', 'pictures', 'rendered'].map((name) => `**/${name}.e2e.ts`);

export default defineConfig({
  globalSetup: './test/e2e/support/build-first.ts',
  testDir: 'test/e2e',
  // The longest come first: at the end of the run one of them alone would keep a worker busy, and the others idle.
  projects: [
    { name: 'every page', testMatch: TO_EVERY_PAGE },
    { name: 'journeys', testMatch: '**/*.e2e.ts', testIgnore: TO_EVERY_PAGE },
  ],
  outputDir: 'build/test-results',
  // Each worker runs a whole server and a browser of its own, on machines of two cores; a third one has the time that
  // others wait.
  workers: 3,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? 'build/test-reports/playwright.json' }],
  ],
  use: {
    locale: 'en-US',
    timezoneId: 'America/New_York',
    screenshot: 'only-on-failure',
    // What a journey intercepts must not be answered from what was kept; the journey without a network allows them.
    serviceWorkers: 'block',
    launchOptions: {
      ...browserToDrive(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
