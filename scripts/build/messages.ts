import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { InlangProject } from '@inlang/sdk';
import { replaceFolder } from './replace-folder.ts';

/** Folder with one file per language; en.json contains the specification's wording. */
const MESSAGES_FOLDER = 'messages';
/**
 * Compiled messages in all languages, for the server. Its subfolders contain one language each, for the pages: a module per
 * message, so that each page loads only the messages it shows.
 */
export const COMPILED_FOLDER = 'build/messages';
/** A running server keeps reading the previous messages until the new folder replaces them. */
const DRAFT_FOLDER = 'build/messages.new';
const BASE_LANGUAGE = 'en';

/** A message, or its forms by number: `{ "one": "{count} item", "other": "{count} items" }`. */
type Message = string | Readonly<Record<string, string>>;
type Catalog = Readonly<Record<string, Message>>;
type Files = Readonly<Record<string, string>>;

/**
 * Compiles each message into a typed function.
 * @throws an Error that lists the messages that are missing from a language or have different placeholders
 */
export async function buildMessages(): Promise<void> {
  const names = (await readdir(MESSAGES_FOLDER)).filter((file) => file.endsWith('.json')).sort();
  const catalogs = new Map<string, Catalog>();
  for (const name of names) {
    catalogs.set(path.basename(name, '.json'), JSON.parse(await readFile(path.join(MESSAGES_FOLDER, name), 'utf8')));
  }
  const problems = findProblems(catalogs);
  if (problems.length > 0) throw new Error(`The languages' messages differ:\n${problems.join('\n')}`);
  await rm(DRAFT_FOLDER, { recursive: true, force: true });
  const project = await openProject(catalogs);
  try {
    await writeModules(
      '',
      await minifyAll(await compile(project, 'locale-modules')),
      generateConstants(BASE_LANGUAGE, catalogs),
    );
    const files = await compile(project, 'message-modules');
    for (const language of catalogs.keys()) {
      await writeModules(language, exportOneLanguage(files, language), generateConstants(language, catalogs));
    }
  } finally {
    await project.close();
  }
  await writeFile(path.join(DRAFT_FOLDER, 'messages.d.ts'), generateDeclarations(catalogs));
  await replaceFolder(DRAFT_FOLDER, COMPILED_FOLDER);
}

/** Differences between the languages: missing messages, forms, and placeholders. */
export function findProblems(catalogs: ReadonlyMap<string, Catalog>): string[] {
  const baseCatalog = catalogs.get(BASE_LANGUAGE) ?? {};
  return [...catalogs].flatMap(([language, catalog]) => [
    ...Object.keys(baseCatalog).flatMap((key) => (key in catalog ? [] : [`${language}: ${key} is missing`])),
    ...Object.entries(catalog).flatMap(([key, message]) => {
      const original = baseCatalog[key];
      if (original === undefined) return [`${language}: ${key} is not in ${BASE_LANGUAGE}.json`];
      if (typeof original !== typeof message) return [`${language}: ${key} has forms in one language only`];
      const [parts, originalParts] = [findPlaceholders(message), findPlaceholders(original)];
      return parts.join() === originalParts.join()
        ? []
        : [`${language}: ${key} contains ${parts.join(' ')} instead of ${originalParts.join(' ')}`];
    }),
  ]);
}

/** Placeholders and tags: "{name}", "<link>". */
function findPlaceholders(message: Message): string[] {
  const texts = typeof message === 'string' ? [message] : Object.values(message);
  return [...new Set(texts.flatMap((text) => text.match(/\{\w+\}|<\/?\w+>/g) ?? []))].sort();
}

async function openProject(catalogs: ReadonlyMap<string, Catalog>): Promise<InlangProject> {
  // Imported here so that these packages aren't loaded if the build is up to date.
  const { loadProjectInMemory, newProject } = await import('@inlang/sdk');
  const { default: plugin } = await import('@inlang/plugin-message-format');
  const project = await loadProjectInMemory({
    blob: await newProject({ settings: { baseLocale: BASE_LANGUAGE, locales: [...catalogs.keys()] } }),
    providePlugins: [plugin],
  });
  const files = [...catalogs].map(([locale, catalog]) => ({
    locale,
    content: new TextEncoder().encode(JSON.stringify(toPluralFormat(catalog))),
  }));
  await project.importFiles({ pluginKey: plugin.key, files });
  return project;
}

async function compile(project: InlangProject, outputStructure: 'locale-modules' | 'message-modules'): Promise<Files> {
  const { compileProject } = await import('@inlang/paraglide-js');
  return compileProject({
    project,
    compilerOptions: { outputStructure, strategy: ['baseLocale'], emitReadme: false },
  });
}

/**
 * Exports each message's function for one language instead of the function that picks a language, so that bundlers drop
 * the picker and the other languages. Pickers would add 2 KB to the home page, which would exceed its budget.
 */
function exportOneLanguage(files: Files, language: string): Files {
  const entries = Object.entries(files).map(([name, code]) => {
    const patchedCode = code
      .replace(/^export \{ (\w+) as/m, `export { ${language}_$1 as`)
      .replace(/^export const (\w+) = /m, `export { ${language}_$1 as $1 };\nconst $1 = `);
    return [name, name.startsWith('messages/') ? patchedCode : code];
  });
  return Object.fromEntries(entries);
}

/**
 * Plural forms in the compiler plugin's format. "other" covers every form not listed, such as the Spanish form for
 * millions.
 */
function toPluralFormat(catalog: Catalog): object {
  const entries = Object.entries(catalog).map(([key, message]) => {
    if (typeof message === 'string') return [key, message];
    const match = Object.fromEntries(
      Object.entries(message).map(([form, text]) => [`form=${form === 'other' ? '*' : form}`, text]),
    );
    return [key, [{ declarations: ['input count', 'local form = count: plural'], selectors: ['form'], match }]];
  });
  return Object.fromEntries(entries);
}

/**
 * Minifies the messages, because Node keeps the source text of all modules in memory. Most of that text is
 * compiler-generated comments, and a single character beyond Latin-1 doubles a module's memory.
 */
async function minifyAll(files: Files): Promise<Files> {
  const { minify } = await import('vite');
  const entries = Object.entries(files).map(async ([name, code]) => {
    if (!name.endsWith('.js')) return [name, code];
    const minified = (await minify(name, code, { module: true })).code;
    return [name, minified.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Declares one function per message. The input that selects a plural form is a number; all others are text. */
function generateDeclarations(catalogs: ReadonlyMap<string, Catalog>): string {
  const languages = [...catalogs.keys()].map((language) => `'${language}'`).join(' | ');
  const functions = Object.entries(catalogs.get(BASE_LANGUAGE) ?? {}).map(([key, message]) => {
    const names = findPlaceholders(message).flatMap((part) => /\w+(?=\})/.exec(part) ?? []);
    if (typeof message !== 'string' && !names.includes('count')) names.push('count');
    const types = names.map(
      (name) => `${name}: ${typeof message !== 'string' && name === 'count' ? 'number' : 'string'}`,
    );
    const inputs = names.length > 0 ? `inputs: { ${types.join('; ')} }` : 'inputs?: Record<string, never>';
    return `  /** ${typeof message === 'string' ? message.replaceAll('*/', '') : Object.values(message).join(' / ')} */\n  ${key}: (${inputs}, options?: InLanguage) => string;`;
  });
  return [
    `export type Language = ${languages};`,
    '/** Language of this build of the pages; on the server, the default language. */',
    'export declare const LANGUAGE: Language;',
    '/** All languages, with the default language first. */',
    'export declare const LANGUAGES: readonly [Language, ...Language[]];',
    "/** Each language's name in that language. */",
    'export declare const LANGUAGE_NAMES: Readonly<Record<Language, string>>;',
    '/** Options of a message. Pages have only one language and need none. */',
    'export type InLanguage = { readonly locale?: Language };',
    `export declare const m: {\n${functions.join('\n')}\n};\n`,
  ].join('\n');
}

function generateConstants(language: string, catalogs: ReadonlyMap<string, Catalog>): string {
  const names = Object.fromEntries([...catalogs].map(([locale, { languageName }]) => [locale, languageName]));
  return `\nexport const LANGUAGE = '${language}';\nexport const LANGUAGES = ${JSON.stringify([...catalogs.keys()])};\nexport const LANGUAGE_NAMES = ${JSON.stringify(names)};\n`;
}

async function writeModules(folder: string, files: Files, suffix: string): Promise<void> {
  for (const [name, code] of Object.entries(files)) {
    const file = path.join(DRAFT_FOLDER, folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, name === 'messages.js' ? code + suffix : code);
  }
}

if (import.meta.main) await buildMessages();
