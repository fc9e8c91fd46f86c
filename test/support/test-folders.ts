/** Tests in test/server that need no database. */
export const NO_DATABASE = ['cities', 'config', 'http', 'payments', 'program', 'sandbox', 'texts'] as const;

/** These need their own process, because safe photo decoding disables SVG for the whole process. */
export const PICTURES = ['pictures'] as const;

/** Globs for folders and files in test/server. */
export function serverTests(places: readonly string[]): string[] {
  return places.map((place) => `test/server/${place}{/**/*,}.test.ts`);
}
