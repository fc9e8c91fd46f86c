import { buildAll } from '#scripts/build/build.ts';

/** Builds once before the workers start: each starts the program, and all of them would find the same part stale. */
export default async function buildFirst(): Promise<void> {
  await buildAll();
}
