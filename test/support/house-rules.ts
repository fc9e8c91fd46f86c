import path from 'node:path';

/** An import: its file, its names, and whether it's type-only. */
type Import = { readonly from: string; readonly typeOnly: boolean };

/** A file's room and an import's target, such as 'server/features/ledger', 'web/ui', or 'package:react'. */
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

/** All of these may contain messages, except the sandbox, which plays another company's site. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain', 'messages'],
  contract: ['contract', 'domain', 'messages'],
  sandbox: ['sandbox'],
  server: ['server', 'sandbox', 'contract', 'domain', 'messages'],
  web: ['web', 'contract', 'domain', 'messages'],
  worker: ['worker', 'contract', 'domain', 'messages'],
};

/** The rooms of the web from the bottom up. Each may import the rows below and the rooms in its own row. */
const WEB_LAYERS: readonly (readonly string[])[] = [
  ['ui', 'api', 'drawings', 'navigation'],
  ['session'],
  ['cart', 'payment', 'stories', 'site'],
  ['routes'],
  ['app'],
];
const layerOf = (place: string) =>
  WEB_LAYERS.findIndex((rooms) => inPlace(place, ...rooms.map((room) => `web/${room}`)));

const BELOW_FEATURES = ['entities', 'http', 'db', 'gateways', 'program'] as const;

/** The arrows of ARCHITECTURE.md. */
const RULES: readonly Rule[] = [
  {
    says: 'imports follow domain ← contract ← server, web',
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
    says: 'the web imports only types from Node modules and schemas',
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
    says: 'ui and drawings don’t import the API',
    breaks: (file, imported) => inPlace(file, 'web/ui', 'web/drawings') && inPlace(imported, 'web/api'),
  },
  {
    says: 'a page imports nothing of another page',
    breaks: (file, imported) =>
      inPlace(file, 'web/routes') && inPlace(imported, 'web/routes') && routeOf(file) !== routeOf(imported),
  },
  {
    says: "a feature of the server calls another's use-case, never its store",
    breaks: (file, imported) =>
      inPlace(file, 'server/features') && imported.endsWith('.store.ts') && featureOf(file) !== featureOf(imported),
  },
  {
    says: 'entities, http, db, gateways, and program don’t import features',
    breaks: (file, imported) =>
      BELOW_FEATURES.some((room) => inPlace(file, `server/${room}`)) && inPlace(imported, 'server/features'),
  },
  {
    says: 'the sandbox and the product meet over HTTP only',
    breaks: (file, imported) =>
      inPlace(file, 'server/features', 'server/http', 'server/gateways') && inPlace(imported, 'sandbox'),
  },
];

/** Text in a file that breaks a house rule. */
const WORDS: readonly { says: string; breaks: (file: string, source: string) => boolean }[] = [
  {
    says: 'only config.ts reads the environment',
    breaks: (file, source) => inPlace(file, 'server') && file !== 'server/config.ts' && /process\.env/.test(source),
  },
  {
    says: 'the domain uses no clock and no randomness',
    breaks: (file, source) => inPlace(file, 'domain') && /Date\.now|new Date\(\)|Math\.random/.test(source),
  },
  {
    says: 'a file has a subject: no utils, helpers, misc or manager',
    breaks: (file) => /(?:^|[/-])(?:utils?|helpers?|misc|manager)\.tsx?$/.test(file),
  },
  {
    says: 'code loads on demand without React’s lazy, whose failed import ends the whole site',
    breaks: (file, source) => inPlace(file, 'web') && /\blazy\(/.test(source),
  },
  {
    says: 'a feature queries tables only in its stores',
    breaks: (file, source) =>
      inPlace(file, 'server/features') &&
      !file.endsWith('.store.ts') &&
      /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/.test(source),
  },
];

/** Patterns of unclear English. They apply to src/ and scripts/. */
const LANGUAGE: readonly { says: string; words: RegExp }[] = [
  {
    says: 'a comment starts with a noun or a verb, not in the middle of a sentence',
    words: /(?:\/\*\*|^\s*\* |(?<!\/\/[^\n]*\n\s*)\/\/) ?(?:What|Of|Whether|Where|Whose|Since|By|Without)\b/m,
  },
  {
    says: 'a comment avoids "meanwhile", "somebody", "nobody", "by itself", and "of its own"',
    words: /(?:\/\*\*|\/\/|^\s*\* )[^\n]*\b(?:meanwhile|somebody|nobody|by itself|of its own)\b/im,
  },
  {
    says: 'an exported value is named by a noun, a function by a verb, not by a participle',
    words:
      /\bexport (?:async )?(?:const|function|type) (?:added|asked|begun|chosen|found|given|gone|held|kept|known|left|made|placed|said|shown|taken|told|used)\b/i,
  },
  { says: 'an object literal is not split by spreads', words: /\.\.\.\{ / },
];

/** Patterns of unclear English in a source file. */
export function languageViolationsIn(source: string): string[] {
  return LANGUAGE.filter(({ words }) => words.test(source)).map(({ says }) => says);
}

type Danger = {
  readonly says: string;
  readonly words: RegExp;
  readonly within: readonly string[];
  /** Reviewed files. Add a new file only with a reason. */
  readonly except?: readonly string[];
};

const PROGRAM = ['contract', 'domain', 'sandbox', 'server', 'web', 'worker'];

/** Dangerous unless known to be safe. */
const DANGERS: readonly Danger[] = [
  {
    says: 'no text is run as code',
    words: /\beval\(|\bnew Function\(|from 'node:vm'|\bset(?:Timeout|Interval)\(\s*['"`]/,
    within: PROGRAM,
  },
  {
    says: 'HTML comes into a page sanitized, by the kit’s Markdown alone',
    words: /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/,
    within: ['web'],
    except: ['web/ui/markdown.tsx'],
  },
  {
    says: 'a page listens to no other window',
    words: /(?:window|self|globalThis)\.(?:addEventListener\(\s*'message'|onmessage)/,
    within: ['web'],
  },
  {
    says: 'few files start other programs, never with input in a command',
    words: /node:child_process/,
    within: PROGRAM,
    // PostgreSQL with the program's own arguments, and this program's Node.
    except: [
      'server/db/create-cluster.ts',
      'server/db/postgres-binaries.ts',
      'server/db/supervise-server.ts',
      'server/gateways/texts/process-texts.ts',
    ],
  },
  { says: 'no shell reads a command', words: /\bexec(?:File)?(?:Sync)?\(['"`]|\bshell: true/, within: ['server'] },
  {
    says: 'secrets come from node:crypto',
    words: /Math\.random/,
    within: ['domain', 'contract', 'server', 'sandbox', 'worker'],
    // Duration of a pause.
    except: ['server/db/transaction.ts'],
  },
  {
    says: 'hashes are of SHA-2, ciphers authenticated: a weaker one only where a standard asks for it',
    words:
      /create(?:Hash|Hmac)\((?!'sha(?:256|384|512)')|\b(?:md5|rc4|pbkdf2)\b|createCipher\(|aes-\d+-(?!gcm)|RSA1_5/i,
    within: ['server', 'sandbox'],
    except: [],
  },
  {
    says: 'other systems are reached from the gateways alone',
    words: /\bfetch\(|\bhttps?\.(?:get|request)\(|\b(?:net|tls)\.(?:connect|createConnection)\(|from 'node:https'/,
    within: ['server'],
    // The embedded server's socket is on this machine.
    except: [
      'server/gateways/challenge/turnstile.ts',
      'server/gateways/identity/check-google.ts',
      'server/gateways/public-address.ts',
      'server/gateways/places/locationiq-places.ts',
      'server/db/running-server.ts',
    ],
  },
  {
    says: 'outgoing requests don’t follow redirects',
    words: /\bfetch\((?![^;]*redirect: 'error')/,
    within: ['server'],
  },
  {
    says: 'input reaches SQL only as a parameter',
    words: /sql\.raw\(|\.query\(\s*`[^`]*\$\{/,
    within: ['server'],
    // Names and operators that the program chooses.
    except: [
      'server/db/app-role.ts',
      'server/db/keyset.ts',
      'server/db/migrate.ts',
      'server/db/notifications.ts',
      'server/features/backups/database-copy.store.ts',
      'server/features/payouts/payouts.store.ts',
    ],
  },
  {
    says: 'no regular expression is built from input',
    words: /new RegExp\(/,
    within: PROGRAM,
    except: [
      'domain/names.ts',
      'domain/safe-text.ts',
      'server/gateways/payments/stripe-sessions.ts',
      'server/gateways/places/fold-name.ts',
      'server/pages/web-pages.ts',
    ],
  },
  {
    says: 'values are compared with their types',
    words: /[^=!<>'"`]==(?!=)|!=(?!=| null|')/,
    within: ['contract', 'domain', 'worker'],
  },
];

/** The house rules that a file under src/ breaks, each with the offending text. */
export function violationsIn(file: string, source: string): string[] {
  const place = file.replace(/^src\//, '');
  const byImports = importsOf(source).flatMap(({ from, typeOnly }) => {
    const imported = placeOf(place, from);
    return RULES.filter((rule) => rule.breaks(place, imported, typeOnly)).map((rule) => `${rule.says} (${from})`);
  });
  const dangers = DANGERS.filter(
    ({ words, within, except = [] }) => inPlace(place, ...within) && !except.includes(place) && words.test(source),
  );
  return [...byImports, ...[...WORDS.filter((rule) => rule.breaks(place, source)), ...dangers].map(({ says }) => says)];
}

/**
 * The features of the server that import each other in a circle: each once, sorted.
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
      const importedFeature = featureOf(placeOf(place, from));
      if (importedFeature !== undefined && importedFeature !== feature) imported.add(importedFeature);
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
