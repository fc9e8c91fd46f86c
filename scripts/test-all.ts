/** `npm run test:all`: `npm test` with every file, and every size in full. */
process.env.TEST_ALL = '1';
await import('./test.ts');
