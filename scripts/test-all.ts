/** `npm run test:all`: runs `npm test` with every test file in full. */
process.env.TEST_ALL = '1';
await import('./test.ts');
