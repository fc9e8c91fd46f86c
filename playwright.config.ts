import { defineConfig } from '@playwright/test';
import { browserToDrive } from './scripts/test/browser.ts';
import { EXCLUDED_FILES } from './scripts/test/tier.ts';

export default defineConfig({
  globalSetup: './test/e2e/support/build-first.ts',
  testDir: 'test/e2e',
  testMatch: '**/*.e2e.ts',
  testIgnore: [...EXCLUDED_FILES],
  outputDir: 'build/test-results',
  // Each worker runs a whole server and a browser of its own, on machines of two cores; the extra ones use the time
  // that others spend waiting.
  workers: 4,
  // No journey needs another, so a long file does not keep one worker busy while the others have nothing left to do.
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 60_000 },
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
