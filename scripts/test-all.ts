/** `npm run test:all`: `npm test` with every file in full size. */
process.env.TEST_ALL = '1';
await import('./test.ts');
