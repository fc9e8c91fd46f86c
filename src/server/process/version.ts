import { readFileSync } from 'node:fs';
import { resolveAppPath } from './app-path.ts';

/** The program's version, and a release's commit; empty in a clone of the repository. */
export const { version: VERSION, commit: COMMIT = '' }: { readonly version: string; readonly commit?: string } =
  JSON.parse(readFileSync(resolveAppPath('package.json'), 'utf8'));

/** The version and commit, such as "0.1.0 (1f2e3d4c5b6a)". */
export const VERSION_TEXT = COMMIT === '' ? VERSION : `${VERSION} (${COMMIT})`;
