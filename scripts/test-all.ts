/** `npm run test:all`: `npm test` with all test files in full. */
process.env.TEST_ALL = '1';
await import('./test.ts');
