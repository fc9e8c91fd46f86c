import { readFileSync } from 'node:fs';

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** Version of this program, such as 1.2.0. */
export const PROGRAM_VERSION = version;
