/** Tests in test/server that need no database. */
export const FOLDERS_WITHOUT_DATABASE = [
  'cities',
  'config',
  'http',
  'markdown',
  'payments',
  'process',
  'sandbox',
] as const;

/** Folders that need their own processes, because safe photo decoding disables SVG for the whole process. */
export const PICTURE_FOLDERS = ['pictures'] as const;

/** Tests in test/server that render pages. Node can't load JSX, so Vite transforms their modules. */
export const TESTS_WITH_PAGES = [
  'checkouts/money-states.full',
  'checkouts/same-numbers',
  'grants/visible-grants',
  'pages',
  'site/anonymous-donors',
  'site/metrics',
  'site/request-ids',
  'site/site-map.full',
] as const;

/** Globs for folders and files in test/server. */
export function serverTestGlobs(paths: readonly string[]): string[] {
  return paths.map((testPath) => `test/server/${testPath}{/**/*,}.test.ts`);
}
