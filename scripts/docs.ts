import { mkdir, writeFile } from 'node:fs/promises';
import { createAsvsTable, createSpecMap } from './docs/requirement-pages.ts';
import { readTaggedTests } from './docs/tagged-tests.ts';

/** npm run docs: lists the tests that cover each item of the specification and of ASVS. */
const tests = await readTaggedTests();
await mkdir('build/docs', { recursive: true });
await writeFile('build/docs/spec-map.md', await createSpecMap(tests));
await writeFile('build/docs/asvs.md', await createAsvsTable(tests));
console.log('Wrote build/docs/spec-map.md and build/docs/asvs.md.');
