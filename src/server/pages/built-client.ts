import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { DEFAULT_LANGUAGE, folderForLanguage } from '#contract/languages.ts';
import type { Language } from '#messages';

/** Vite's manifest. */
const MANIFEST = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isEntry: z.boolean().optional(),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
);
type Manifest = z.output<typeof MANIFEST>;

/** Paths from the site's root. */
export type PageFiles = {
  readonly script: string;
  /** Scripts that `script` imports, fetched in parallel. */
  readonly preloads: readonly string[];
  readonly styles: readonly string[];
  /** Contents of the stylesheets, which pages share. */
  readonly styleTexts: readonly string[];
  readonly fonts: readonly string[];
};

export type BuiltClient = {
  /** Document for a page that the browser renders. */
  readonly shell: string;
  /** Finds the files for the page in `module`, or for every page. @returns undefined if the build has no manifest */
  findFiles(module: string | undefined): PageFiles | undefined;
};

const ENTRY = 'index.html';
/** Fonts for every page; extended character sets are fetched when needed. */
const FONTS = ['fonts/bricolage.woff2', 'fonts/figtree.woff2'];

/** @returns undefined if there is no build in the language */
export async function readBuiltClient(
  folder: string,
  language: Language = DEFAULT_LANGUAGE,
): Promise<BuiltClient | undefined> {
  const languageFolder = folderForLanguage(language);
  const shell = await readIfExists(path.join(folder, languageFolder === '' ? '' : `.vite/${languageFolder}`, ENTRY));
  if (shell === undefined) return undefined;
  const manifest = MANIFEST.safeParse(
    JSON.parse((await readIfExists(path.join(folder, '.vite', languageFolder, 'manifest.json'))) ?? '{}'),
  );
  const files = manifest.success ? await readAllFiles(folder, manifest.data) : new Map<string, PageFiles>();
  return { shell, findFiles: (module) => files.get(module ?? ENTRY) ?? files.get(ENTRY) };
}

/**
 * Parses the name of a page, a file `*-page.tsx` under src/web/routes. The build lists it unless another module imports
 * it statically.
 */
function parsePageName(source: string): string | undefined {
  return source === ENTRY ? ENTRY : /^routes\/(?:.+\/)?([\w-]+-page)\.tsx$/.exec(source)?.[1];
}

async function readAllFiles(folder: string, manifest: Manifest): Promise<Map<string, PageFiles>> {
  const filesByModule = new Map<string, PageFiles>();
  const texts = new Map<string, string>();
  for (const style of new Set(Object.values(manifest).flatMap(({ css }) => css))) {
    texts.set(style, (await readFile(path.join(folder, style), 'utf8')).trim());
  }
  for (const source of Object.keys(manifest)) {
    const module = parsePageName(source);
    const files = module && collectFiles(manifest, source, texts);
    if (module && files) filesByModule.set(module, files);
  }
  return filesByModule;
}

function collectFiles(manifest: Manifest, module: string, texts: ReadonlyMap<string, string>): PageFiles | undefined {
  const entry = manifest[ENTRY];
  if (!entry?.isEntry) return undefined;
  const chunks = new Set(
    [...findLoadingModules(manifest, module), module].flatMap((name) => listWithImports(manifest, name)),
  );
  const chunkEntries = [...chunks].flatMap((name) => manifest[name] ?? []);
  const styles = [...new Set(chunkEntries.flatMap(({ css }) => css))];
  return {
    script: `/${entry.file}`,
    preloads: chunkEntries.filter((chunk) => chunk !== entry).map(({ file }) => `/${file}`),
    styles: styles.map((file) => `/${file}`),
    styleTexts: styles.flatMap((file) => texts.get(file) ?? []),
    fonts: FONTS.flatMap((font) => manifest[font]?.file ?? []).map((file) => `/${file}`),
  };
}

/** Finds the modules that load a page's module: the entry and, if loaded separately, the page's route table. */
function findLoadingModules(manifest: Manifest, module: string): string[] {
  const parents = Object.keys(manifest).filter((name) => manifest[name]?.dynamicImports.includes(module));
  return [ENTRY, ...(parents.includes(ENTRY) ? [] : parents.slice(0, 1))];
}

/** Lists a chunk after its imports, so that styles load in order. */
function listWithImports(manifest: Manifest, name: string, visitedNames = new Set<string>()): string[] {
  if (visitedNames.has(name)) return [];
  visitedNames.add(name);
  return [
    ...(manifest[name]?.imports ?? []).flatMap((importedName) => listWithImports(manifest, importedName, visitedNames)),
    name,
  ];
}

function readIfExists(file: string): Promise<string | undefined> {
  return access(file).then(
    () => readFile(file, 'utf8'),
    () => undefined,
  );
}
