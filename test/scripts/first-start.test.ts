import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOMS: Readonly<Record<string, string>> = {
  '#server': 'src/server',
  '#domain': 'src/domain',
  '#scripts': 'scripts',
};

/** Modules that are loaded before the first line of a script runs. */
async function modulesOf(file: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(file)) return found;
  found.add(file);
  const source = file.endsWith('.ts') ? await readFile(file, 'utf8') : '';
  for (const [, name = ''] of source.matchAll(/^(?:import|export) (?!type ).*?from '([^']+)';$/gms)) {
    const [room = '', ...rest] = name.split('/');
    const ours = ROOMS[room] === undefined ? undefined : path.posix.join(ROOMS[room], ...rest);
    await modulesOf(name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : (ours ?? name), found);
  }
  return found;
}

test.each(['start', 'dev', 'test', 'check', 'release', 'build/build'])(
  '%s can run on a fresh clone because it loads nothing that isn’t built yet',
  async (name) => {
    const modules = await modulesOf(`scripts/${name}.ts`);
    expect(modules).toContain('scripts/build/freshness.ts');
    expect(modules).not.toContain('#messages');
  },
);

test('imports and messages of the server’s settings are found', async () => {
  expect(await modulesOf('src/server/config.ts')).toContain('#messages');
});
