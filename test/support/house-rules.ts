import path from 'node:path';

/** An import as a file writes it: what is named, and whether only types are taken. */
type Import = { readonly from: string; readonly typeOnly: boolean };

/** Where a file is, and where an import of it leads: 'server/features/ledger', 'web/ui', 'package:react'. */
type Rule = {
  readonly says: string;
  readonly breaks: (file: string, imported: string, typeOnly: boolean) => boolean;
};

const wallOf = (place: string) => place.split('/')[0];
const featureOf = (place: string) => /^server\/features\/([^/]+)/.exec(place)?.[1];
const routeOf = (place: string) => /^web\/routes\/([^/]+)/.exec(place)?.[1];
const isPackage = (place: string) => place.startsWith('package:');
const inPlace = (place: string, ...folders: readonly string[]) =>
  folders.some((folder) => place.startsWith(`${folder}/`));

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain'],
  contract: ['contract', 'domain'],
  sandbox: ['sandbox'],
  server: ['server', 'sandbox', 'contract', 'domain'],
  web: ['web', 'contract', 'domain'],
  worker: ['worker', 'contract', 'domain'],
};

/** The rooms of the web from the ground up: each imports those below it, and its own row may import one another. */
const WEB_LAYERS: readonly (readonly string[])[] = [
  ['ui', 'api', 'drawings', 'navigation'],
  ['session'],
  ['cart', 'payment', 'stories', 'site'],
  ['routes'],
  ['app'],
];
const layerOf = (place: string) =>
  WEB_LAYERS.findIndex((rooms) => inPlace(place, ...rooms.map((room) => `web/${room}`)));

const BELOW_FEATURES = ['orgs', 'users', 'profiles', 'http', 'db', 'gateways'] as const;

/** The arrows of ARCHITECTURE.md. */
const RULES: readonly Rule[] = [
  {
    says: 'domain ← contract ← server, web: a wall is crossed one way',
    breaks: (file, imported) => {
      const walls = MAY_IMPORT[wallOf(file) ?? ''];
      return walls !== undefined && !isPackage(imported) && !walls.includes(wallOf(imported) ?? '');
    },
  },
  {
    says: 'the domain is pure: it imports no package',
    breaks: (file, imported) => inPlace(file, 'domain') && isPackage(imported),
  },
  {
    says: 'the contract imports zod alone',
    breaks: (file, imported) => inPlace(file, 'contract') && isPackage(imported) && imported !== 'package:zod',
  },
  {
    says: 'the browser gets no module of Node, and no schema: only their types',
    breaks: (file, imported, typeOnly) =>
      inPlace(file, 'web') &&
      !typeOnly &&
      (imported.startsWith('package:node:') || /^contract\/schemas/.test(imported)),
  },
  {
    says: 'a room of the web imports no room above it',
    breaks: (file, imported) => layerOf(file) >= 0 && layerOf(imported) > layerOf(file),
  },
  {
    says: 'the kit and the drawings know no data',
    breaks: (file, imported) => inPlace(file, 'web/ui', 'web/drawings') && inPlace(imported, 'web/api'),
  },
  {
    says: 'a page imports nothing of another page; the demo cards of /test show them all',
    breaks: (file, imported) =>
      inPlace(file, 'web/routes') &&
      !inPlace(file, 'web/routes/admin/test') &&
      inPlace(imported, 'web/routes') &&
      routeOf(file) !== routeOf(imported),
  },
  {
    says: "a feature of the server calls another's use-case, never its store",
    breaks: (file, imported) =>
      inPlace(file, 'server/features') && imported.endsWith('.store.ts') && featureOf(file) !== featureOf(imported),
  },
  {
    says: 'what lies below the features of the server imports none of them',
    breaks: (file, imported) =>
      BELOW_FEATURES.some((room) => inPlace(file, `server/${room}`)) && inPlace(imported, 'server/features'),
  },
  {
    says: 'the sandbox and the product meet over HTTP only',
    breaks: (file, imported) =>
      inPlace(file, 'server/features', 'server/http', 'server/gateways') && inPlace(imported, 'sandbox'),
  },
];

/** Words in a file's own text that break a rule of the house. */
const WORDS: readonly { says: string; breaks: (file: string, source: string) => boolean }[] = [
  {
    says: 'only config.ts reads the environment',
    breaks: (file, source) => inPlace(file, 'server') && file !== 'server/config.ts' && /process\.env/.test(source),
  },
  {
    says: 'the domain knows no clock and no chance',
    breaks: (file, source) => inPlace(file, 'domain') && /Date\.now|new Date\(\)|Math\.random/.test(source),
  },
  {
    says: 'a file has a subject: no utils, helpers, misc or manager',
    breaks: (file) => /(?:^|[/-])(?:utils?|helpers?|misc|manager)\.tsx?$/.test(file),
  },
  {
    says: 'a feature queries tables only in its stores',
    breaks: (file, source) =>
      inPlace(file, 'server/features') &&
      !file.endsWith('.store.ts') &&
      /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/.test(source),
  },
];

/** The rules of the house that a file under src/ breaks, each with what breaks it. */
export function violationsIn(file: string, source: string): string[] {
  const place = file.replace(/^src\//, '');
  const byImports = importsOf(source).flatMap(({ from, typeOnly }) => {
    const imported = placeOf(place, from);
    return RULES.filter((rule) => rule.breaks(place, imported, typeOnly)).map((rule) => `${rule.says} (${from})`);
  });
  return [...byImports, ...WORDS.filter((rule) => rule.breaks(place, source)).map((rule) => rule.says)];
}

/**
 * The features of the server that import one another in a circle, each once, sorted; none if there is no circle.
 * @param sources every file under src/ with its text
 */
export function featuresInCycles(sources: ReadonlyMap<string, string>): string[] {
  const arrows = new Map<string, Set<string>>();
  for (const [file, source] of sources) {
    const place = file.replace(/^src\//, '');
    const feature = featureOf(place);
    if (feature === undefined) continue;
    const imported = arrows.get(feature) ?? new Set();
    for (const { from } of importsOf(source)) {
      const other = featureOf(placeOf(place, from));
      if (other !== undefined && other !== feature) imported.add(other);
    }
    arrows.set(feature, imported);
  }
  const reaches = (from: string, target: string, seen = new Set<string>()): boolean =>
    [...(arrows.get(from) ?? [])].some((next) => {
      if (next === target) return true;
      if (seen.has(next)) return false;
      return reaches(next, target, seen.add(next));
    });
  return [...arrows.keys()].filter((feature) => reaches(feature, feature)).sort();
}

function importsOf(source: string): Import[] {
  const statements = source.matchAll(/(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;'"]*?from\s+['"]([^'"]+)['"]/g);
  const dynamic = source.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g);
  const bare = source.matchAll(/(?:^|\n)import\s+['"]([^'"]+)['"]/g);
  return [
    ...[...statements].map(([, type, from = '']) => ({ from, typeOnly: type !== undefined })),
    ...[...dynamic, ...bare].map(([, from = '']) => ({ from, typeOnly: false })),
  ];
}

function placeOf(file: string, from: string): string {
  if (from.startsWith('.')) return path.posix.join(path.posix.dirname(file), from);
  if (from.startsWith('#')) return from.slice(1);
  return `package:${from}`;
}
