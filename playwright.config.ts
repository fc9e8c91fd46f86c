import { defineConfig } from '@playwright/test';
import { getPlaywrightBrowser } from './scripts/test/browser.ts';
import { EXCLUDED_FILES } from './scripts/test/test-selection.ts';

export default defineConfig({
  globalSetup: './test/e2e/support/build-first.ts',
  testDir: 'test/e2e',
  testMatch: '**/*.e2e.ts',
  testIgnore: [...EXCLUDED_FILES],
  outputDir: 'build/test-results',
  // Each worker's browser keeps one core busy.
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? 'build/test-reports/playwright.json' }],
  ],
  use: {
    locale: 'en-US',
    timezoneId: 'America/New_York',
    screenshot: 'only-on-failure',
    // A service worker would respond to requests that a journey intercepts. The offline journey allows it.
    serviceWorkers: 'block',
    // Journeys don't wait for animations.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...getPlaywrightBrowser(),
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
