import path from 'node:path';

/** An import's source, and whether it's type-only. */
type Import = { readonly from: string; readonly typeOnly: boolean };

/**
 * A rule for a file's location and an import's target, such as 'server/features/ledger', 'web/ui', or 'package:react'.
 */
type Rule = {
  readonly says: string;
  readonly breaks: (file: string, imported: string, typeOnly: boolean) => boolean;
};

const partOf = (place: string) => place.split('/')[0];
const featureOf = (place: string) => /^server\/features\/([^/]+)/.exec(place)?.[1];
const routeOf = (place: string) => /^web\/routes\/([^/]+)/.exec(place)?.[1];
const isPackage = (place: string) => place.startsWith('package:');
const isInside = (place: string, ...folders: readonly string[]) =>
  folders.some((folder) => place.startsWith(`${folder}/`));

/** Allowed imports by folder. The sandbox may not use messages because it simulates another company's site. */
const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain', 'messages'],
  contract: ['contract', 'domain', 'messages'],
  sandbox: ['sandbox'],
  server: ['server', 'sandbox', 'contract', 'domain', 'messages'],
  web: ['web', 'contract', 'domain', 'messages'],
  worker: ['worker', 'contract', 'domain', 'messages'],
};

/** Layers of the web client, bottom first. A folder may import its own layer and the layers below. */
const WEB_LAYERS: readonly (readonly string[])[] = [
  ['browser'],
  ['ui', 'api', 'drawings', 'navigation'],
  ['forms'],
  ['session'],
  ['cart', 'payment', 'stories', 'site'],
  ['routes'],
  ['app'],
];
const layerOf = (place: string) =>
  WEB_LAYERS.findIndex((rooms) => isInside(place, ...rooms.map((room) => `web/${room}`)));

const BELOW_FEATURES = ['entities', 'http', 'db', 'gateways', 'program'] as const;

/** The import rules of ARCHITECTURE.md. */
const RULES: readonly Rule[] = [
  {
    says: 'imports follow domain ← contract ← server, web',
    breaks: (file, imported) => {
      const allowedLayers = ALLOWED_IMPORTS[partOf(file) ?? ''];
      return allowedLayers !== undefined && !isPackage(imported) && !allowedLayers.includes(partOf(imported) ?? '');
    },
  },
  {
    says: 'the domain is pure: it imports no package',
    breaks: (file, imported) => isInside(file, 'domain') && isPackage(imported),
  },
  {
    says: 'the contract imports no package except zod',
    breaks: (file, imported) => isInside(file, 'contract') && isPackage(imported) && imported !== 'package:zod',
  },
  {
    says: 'the web imports only types from Node modules and schemas',
    breaks: (file, imported, typeOnly) =>
      isInside(file, 'web') &&
      !typeOnly &&
      (imported.startsWith('package:node:') || /^contract\/schemas/.test(imported)),
  },
  {
    says: 'a folder of the web client imports nothing from a layer above it',
    breaks: (file, imported) => layerOf(file) >= 0 && layerOf(imported) > layerOf(file),
  },
  {
    says: 'ui and drawings don’t import the API',
    breaks: (file, imported) => isInside(file, 'web/ui', 'web/drawings') && isInside(imported, 'web/api'),
  },
  {
    says: 'a page imports nothing from another page',
    breaks: (file, imported) =>
      isInside(file, 'web/routes') && isInside(imported, 'web/routes') && routeOf(file) !== routeOf(imported),
  },
  {
    says: "a server feature never imports another feature's store",
    breaks: (file, imported) =>
      isInside(file, 'server/features') && imported.endsWith('.store.ts') && featureOf(file) !== featureOf(imported),
  },
  {
    says: 'entities, http, db, gateways, and program don’t import features',
    breaks: (file, imported) =>
      BELOW_FEATURES.some((room) => isInside(file, `server/${room}`)) && isInside(imported, 'server/features'),
  },
  {
    says: 'the product uses the sandbox only over HTTP',
    breaks: (file, imported) =>
      isInside(file, 'server/features', 'server/http', 'server/gateways') && isInside(imported, 'sandbox'),
  },
];

/** Rules about a file's name or text. */
const TEXT_RULES: readonly { says: string; breaks: (file: string, source: string) => boolean }[] = [
  {
    says: 'only config.ts reads the environment',
    breaks: (file, source) => isInside(file, 'server') && file !== 'server/config.ts' && /process\.env/.test(source),
  },
  {
    says: 'the domain uses no clock and no randomness',
    breaks: (file, source) => isInside(file, 'domain') && /Date\.now|new Date\(\)|Math\.random/.test(source),
  },
  {
    says: 'a file is named after its subject: no utils, helpers, misc, or manager',
    breaks: (file) => /(?:^|[/-])(?:utils?|helpers?|misc|manager)\.tsx?$/.test(file),
  },
  {
    says: 'code isn’t loaded with React’s lazy, because a failed import would break the whole site',
    breaks: (file, source) => isInside(file, 'web') && /\blazy\(/.test(source),
  },
  {
    says: 'a state’s setter is named after the state',
    breaks: (file, source) => isInside(file, 'web') && hasMisnamedSetter(source),
  },
  {
    says: 'a feature queries tables only in its stores',
    breaks: (file, source) =>
      isInside(file, 'server/features') &&
      !file.endsWith('.store.ts') &&
      /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/.test(source),
  },
];

function hasMisnamedSetter(source: string): boolean {
  return Array.from(source.matchAll(/const \[(\w+), (\w+)\] = useState/g)).some(
    ([, state = '', setter]) => setter !== `set${state.charAt(0).toUpperCase()}${state.slice(1)}`,
  );
}

/** Patterns of unclear English. They apply to src/ and scripts/. */
const LANGUAGE_RULES: readonly { says: string; words: RegExp }[] = [
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
export function findLanguageViolations(source: string): string[] {
  return LANGUAGE_RULES.filter(({ words }) => words.test(source)).map(({ says: description }) => description);
}

type Danger = {
  readonly says: string;
  readonly words: RegExp;
  readonly within: readonly string[];
  /** Reviewed files. Add a new file only with a reason. */
  readonly except?: readonly string[];
};

const PROGRAM_FOLDERS = ['contract', 'domain', 'sandbox', 'server', 'web', 'worker'];

/** Patterns that are dangerous outside reviewed files. */
const SECURITY_RULES: readonly Danger[] = [
  {
    says: 'no text is run as code',
    words: /\beval\(|\bnew Function\(|from 'node:vm'|\bset(?:Timeout|Interval)\(\s*['"`]/,
    within: PROGRAM_FOLDERS,
  },
  {
    says: 'only the Markdown component, which sanitizes HTML, inserts HTML into a page',
    words: /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/,
    within: ['web'],
    except: ['web/ui/markdown.tsx'],
  },
  {
    says: 'a page receives no messages from other windows',
    words: /(?:window|self|globalThis)\.(?:addEventListener\(\s*'message'|onmessage)/,
    within: ['web'],
  },
  {
    says: 'only reviewed files start other programs, never with user input in a command',
    words: /node:child_process/,
    within: PROGRAM_FOLDERS,
    // PostgreSQL with the program's own arguments, and this program's Node.
    except: [
      'server/db/create-cluster.ts',
      'server/db/postgres-binaries.ts',
      'server/db/supervise-server.ts',
      'server/gateways/texts/process-texts.ts',
    ],
  },
  {
    says: 'no command runs through a shell',
    words: /\bexec(?:File)?(?:Sync)?\(['"`]|\bshell: true/,
    within: ['server'],
  },
  {
    says: 'secrets come from node:crypto',
    words: /Math\.random/,
    within: ['domain', 'contract', 'server', 'sandbox', 'worker'],
    // A random pause before a retry.
    except: ['server/db/transaction.ts'],
  },
  {
    says: 'hashes use SHA-2 and ciphers are authenticated unless a standard requires otherwise',
    words:
      /create(?:Hash|Hmac)\((?!'sha(?:256|384|512)')|\b(?:md5|rc4|pbkdf2)\b|createCipher\(|aes-\d+-(?!gcm)|RSA1_5/i,
    within: ['server', 'sandbox'],
    except: [],
  },
  {
    says: 'only gateways connect to other systems',
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
    within: PROGRAM_FOLDERS,
    except: [
      'domain/names.ts',
      'domain/safe-text.ts',
      'server/gateways/payments/stripe-sessions.ts',
      'server/gateways/places/fold-name.ts',
      'server/pages/web-pages.ts',
    ],
  },
  {
    says: 'values are compared with === and !==',
    words: /[^=!<>'"`]==(?!=)|!=(?!=| null|')/,
    within: ['contract', 'domain', 'worker'],
  },
];

/** The house rules that a file under src/ breaks, each with the offending text. */
export function findViolations(file: string, source: string): string[] {
  const place = file.replace(/^src\//, '');
  const importViolations = parseImports(source).flatMap(({ from, typeOnly }) => {
    const imported = resolvePlace(place, from);
    return RULES.filter((rule) => rule.breaks(place, imported, typeOnly)).map((rule) => `${rule.says} (${from})`);
  });
  const dangers = SECURITY_RULES.filter(
    ({ words, within, except = [] }) => isInside(place, ...within) && !except.includes(place) && words.test(source),
  );
  return [
    ...importViolations,
    ...[...TEXT_RULES.filter((rule) => rule.breaks(place, source)), ...dangers].map(({ says }) => says),
  ];
}

/**
 * Finds the server features that are part of an import cycle, sorted.
 * @param sources every file under src/ with its text
 */
export function findFeaturesInCycles(sources: ReadonlyMap<string, string>): string[] {
  const imports = new Map<string, Set<string>>();
  for (const [file, source] of sources) {
    const place = file.replace(/^src\//, '');
    const feature = featureOf(place);
    if (feature === undefined) continue;
    const imported = imports.get(feature) ?? new Set();
    for (const { from } of parseImports(source)) {
      const importedFeature = featureOf(resolvePlace(place, from));
      if (importedFeature !== undefined && importedFeature !== feature) imported.add(importedFeature);
    }
    imports.set(feature, imported);
  }
  const canReach = (from: string, target: string, seen = new Set<string>()): boolean =>
    [...(imports.get(from) ?? [])].some((dependency) => {
      if (dependency === target) return true;
      if (seen.has(dependency)) return false;
      return canReach(dependency, target, seen.add(dependency));
    });
  return [...imports.keys()].filter((feature) => canReach(feature, feature)).sort();
}

function parseImports(source: string): Import[] {
  const statements = source.matchAll(/(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;'"]*?from\s+['"]([^'"]+)['"]/g);
  const dynamicImports = source.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g);
  const sideEffectImports = source.matchAll(/(?:^|\n)import\s+['"]([^'"]+)['"]/g);
  return [
    ...[...statements].map(([, type, from = '']) => ({ from, typeOnly: type !== undefined })),
    ...[...dynamicImports, ...sideEffectImports].map(([, from = '']) => ({ from, typeOnly: false })),
  ];
}

function resolvePlace(file: string, from: string): string {
  if (from.startsWith('.')) return path.posix.join(path.posix.dirname(file), from);
  if (from.startsWith('#')) return from.slice(1);
  return `package:${from}`;
}
