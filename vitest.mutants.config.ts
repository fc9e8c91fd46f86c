import { defineConfig } from 'vitest/config';

// Tests that run against each mutant: the rules of the domain, or the calls that move money and grant access.
const isServer = process.env.MUTANTS === 'server';
const folders = ['checkouts', 'ledger', 'payments', 'permissions', 'recurring-gifts'];

export default defineConfig({
  test: {
    include: isServer
      ? folders.map((folder) => `test/server/${folder}/**/*.test.ts`)
      : ['test/domain/**/*.test.ts', 'test/web/specified-constants.test.ts'],
    exclude: ['**/*.full.test.ts'],
    globalSetup: isServer ? ['test/support/postgres-server.ts'] : [],
    testTimeout: 60_000,
  },
});
