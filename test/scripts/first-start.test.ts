import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const IMPORT_ALIASES: Readonly<Record<string, string>> = {
  '#server': 'src/server',
  '#domain': 'src/domain',
  '#scripts': 'scripts',
};

/** Modules that are loaded before the first line of a script runs. */
async function collectModules(file: string, modules = new Set<string>()): Promise<Set<string>> {
  if (modules.has(file)) return modules;
  modules.add(file);
  const source = file.endsWith('.ts') ? await readFile(file, 'utf8') : '';
  for (const [, name = ''] of source.matchAll(/^(?:import|export) (?!type ).*?from '([^']+)';$/gms)) {
    const [alias = '', ...rest] = name.split('/');
    const aliasedPath =
      IMPORT_ALIASES[alias] === undefined ? undefined : path.posix.join(IMPORT_ALIASES[alias], ...rest);
    await collectModules(
      name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : (aliasedPath ?? name),
      modules,
    );
  }
  return modules;
}

test.each(['start', 'dev', 'test', 'check', 'release', 'build/build'])(
  '%s can run on a fresh clone because it needs no build output',
  async (name) => {
    const modules = await collectModules(`scripts/${name}.ts`);
    expect(modules).toContain('scripts/build/build-if-stale.ts');
    expect(modules).not.toContain('#messages');
  },
);

test('collectModules finds the settings’ imports and messages', async () => {
  expect(await collectModules('src/server/config.ts')).toContain('#messages');
});
