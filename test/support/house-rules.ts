import path from 'node:path';

/** An import's source, and whether it's type-only. */
type Import = { readonly from: string; readonly isTypeOnly: boolean };

/**
 * A rule for a file's location and an import's target, such as 'server/features/ledger', 'web/ui', or 'package:react'.
 */
type Rule = {
  readonly description: string;
  readonly isBrokenBy: (file: string, importedModule: string, isTypeOnly: boolean) => boolean;
};

const findTopFolder = (modulePath: string) => modulePath.split('/')[0];
const findFeature = (modulePath: string) => /^server\/features\/([^/]+)/.exec(modulePath)?.[1];
const findRoute = (modulePath: string) => /^web\/routes\/([^/]+)/.exec(modulePath)?.[1];
const isPackage = (modulePath: string) => modulePath.startsWith('package:');
const isInside = (modulePath: string, ...folders: readonly string[]) =>
  folders.some((folder) => modulePath.startsWith(`${folder}/`));

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
  ['attention', 'cart', 'payment', 'stories', 'site'],
  ['routes'],
  ['app'],
];
const findWebLayer = (modulePath: string) =>
  WEB_LAYERS.findIndex((folders) => isInside(modulePath, ...folders.map((folder) => `web/${folder}`)));

const FOLDERS_BELOW_FEATURES = ['entities', 'http', 'db', 'gateways', 'process'] as const;

/** The import rules of ARCHITECTURE.md. */
const RULES: readonly Rule[] = [
  {
    description: 'imports follow domain ← contract ← server, web',
    isBrokenBy: (file, importedModule) => {
      const allowedLayers = ALLOWED_IMPORTS[findTopFolder(file) ?? ''];
      return (
        allowedLayers !== undefined &&
        !isPackage(importedModule) &&
        !allowedLayers.includes(findTopFolder(importedModule) ?? '')
      );
    },
  },
  {
    description: 'the domain is pure: it imports no package',
    isBrokenBy: (file, importedModule) => isInside(file, 'domain') && isPackage(importedModule),
  },
  {
    description: 'the contract imports no package except zod',
    isBrokenBy: (file, importedModule) =>
      isInside(file, 'contract') && isPackage(importedModule) && importedModule !== 'package:zod',
  },
  {
    description: 'the web imports only types from Node modules and schemas',
    isBrokenBy: (file, importedModule, isTypeOnly) =>
      isInside(file, 'web') &&
      !isTypeOnly &&
      (importedModule.startsWith('package:node:') || /^contract\/schemas/.test(importedModule)),
  },
  {
    description: 'a folder of the web client imports nothing from a layer above it',
    isBrokenBy: (file, importedModule) => findWebLayer(file) >= 0 && findWebLayer(importedModule) > findWebLayer(file),
  },
  {
    description: 'ui and drawings don’t import the API',
    isBrokenBy: (file, importedModule) =>
      isInside(file, 'web/ui', 'web/drawings') && isInside(importedModule, 'web/api'),
  },
  {
    description: 'a page imports nothing from another page',
    isBrokenBy: (file, importedModule) =>
      isInside(file, 'web/routes') &&
      isInside(importedModule, 'web/routes') &&
      findRoute(file) !== findRoute(importedModule),
  },
  {
    description: "a server feature never imports another feature's store",
    isBrokenBy: (file, importedModule) =>
      isInside(file, 'server/features') &&
      importedModule.endsWith('.store.ts') &&
      findFeature(file) !== findFeature(importedModule),
  },
  {
    description: 'entities, http, db, gateways, and process don’t import features',
    isBrokenBy: (file, importedModule) =>
      FOLDERS_BELOW_FEATURES.some((folder) => isInside(file, `server/${folder}`)) &&
      isInside(importedModule, 'server/features'),
  },
  {
    description: 'the product uses the sandbox only over HTTP',
    isBrokenBy: (file, importedModule) =>
      isInside(file, 'server/features', 'server/http', 'server/gateways') && isInside(importedModule, 'sandbox'),
  },
];

/** Rules about a file's name or text. */
const TEXT_RULES: readonly { description: string; isBrokenBy: (file: string, source: string) => boolean }[] = [
  {
    description: 'only config.ts reads the environment',
    isBrokenBy: (file, source) =>
      isInside(file, 'server') && file !== 'server/config.ts' && /process\.env/.test(source),
  },
  {
    description: 'the domain uses no clock and no randomness',
    isBrokenBy: (file, source) => isInside(file, 'domain') && /Date\.now|new Date\(\)|Math\.random/.test(source),
  },
  {
    description: 'a file is named after its subject: no utils, helpers, misc, or manager',
    isBrokenBy: (file) => /(?:^|[/-])(?:utils?|helpers?|misc|manager)\.tsx?$/.test(file),
  },
  {
    description: 'code isn’t loaded with React’s lazy, because a failed import would break the whole site',
    isBrokenBy: (file, source) => isInside(file, 'web') && /\blazy\(/.test(source),
  },
  {
    description: 'a state’s setter is named after the state',
    isBrokenBy: (file, source) => isInside(file, 'web') && hasMisnamedSetter(source),
  },
  {
    description: 'only site-history.ts changes the tab’s history, because the navigator must know each entry’s address',
    isBrokenBy: (file, source) =>
      isInside(file, 'web') && file !== 'web/navigation/site-history.ts' && /\.(?:push|replace)State\(/.test(source),
  },
  {
    description: 'a feature queries tables only in its stores',
    isBrokenBy: (file, source) =>
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
const LANGUAGE_RULES: readonly { description: string; pattern: RegExp }[] = [
  {
    description: 'a comment starts with a noun or a verb, not in the middle of a sentence',
    pattern: /(?:\/\*\*|^\s*\* |(?<!\/\/[^\n]*\n\s*)\/\/) ?(?:What|Of|Whether|Where|Whose|Since|By|Without)\b/m,
  },
  {
    description: 'a comment avoids "meanwhile", "somebody", "nobody", "by itself", and "of its own"',
    pattern: /(?:\/\*\*|\/\/|^\s*\* )[^\n]*\b(?:meanwhile|somebody|nobody|by itself|of its own)\b/im,
  },
  {
    description: 'an exported value is named by a noun, a function by a verb, not by a participle',
    pattern:
      /\bexport (?:async )?(?:const|function|type) (?:added|asked|begun|chosen|found|given|gone|held|kept|known|left|made|placed|said|shown|taken|told|used)\b/i,
  },
  { description: 'an object literal is not split by spreads', pattern: /\.\.\.\{ / },
];

/** Patterns of unclear English in a source file. */
export function findLanguageViolations(source: string): string[] {
  return LANGUAGE_RULES.filter(({ pattern }) => pattern.test(source)).map(({ description }) => description);
}

type SecurityRule = {
  readonly description: string;
  readonly pattern: RegExp;
  readonly folders: readonly string[];
  /** Reviewed files. Add a new file only with a reason. */
  readonly reviewedFiles?: readonly string[];
};

const PROGRAM_FOLDERS = ['contract', 'domain', 'sandbox', 'server', 'web', 'worker'];

/** Patterns that are dangerous outside reviewed files. */
const SECURITY_RULES: readonly SecurityRule[] = [
  {
    description: 'no text is run as code',
    pattern: /\beval\(|\bnew Function\(|from 'node:vm'|\bset(?:Timeout|Interval)\(\s*['"`]/,
    folders: PROGRAM_FOLDERS,
  },
  {
    description: 'only the Markdown component, which sanitizes HTML, inserts HTML into a page',
    pattern: /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/,
    folders: ['web'],
    reviewedFiles: ['web/ui/markdown.tsx'],
  },
  {
    description: 'a page receives no messages from other windows',
    pattern: /(?:window|self|globalThis)\.(?:addEventListener\(\s*'message'|onmessage)/,
    folders: ['web'],
  },
  {
    description: 'only reviewed files start other programs, never with user input in a command',
    pattern: /node:child_process/,
    folders: PROGRAM_FOLDERS,
    // These files run PostgreSQL with the program's own arguments, or this program's Node.
    reviewedFiles: [
      'server/db/create-cluster.ts',
      'server/db/postgres-binaries.ts',
      'server/db/supervise-server.ts',
      'server/gateways/markdown/renderer-process.ts',
    ],
  },
  {
    description: 'no command runs through a shell',
    pattern: /\bexec(?:File)?(?:Sync)?\(['"`]|\bshell: true/,
    folders: ['server'],
  },
  {
    description: 'secrets come from node:crypto',
    pattern: /Math\.random/,
    folders: ['domain', 'contract', 'server', 'sandbox', 'worker'],
    // Used for a random pause before a retry.
    reviewedFiles: ['server/db/transaction.ts'],
  },
  {
    description: 'hashes use SHA-2 and ciphers are authenticated unless a standard requires otherwise',
    pattern:
      /create(?:Hash|Hmac)\((?!'sha(?:256|384|512)')|\b(?:md5|rc4|pbkdf2)\b|createCipher\(|aes-\d+-(?!gcm)|RSA1_5/i,
    folders: ['server', 'sandbox'],
    reviewedFiles: [],
  },
  {
    description: 'only gateways connect to other systems',
    pattern: /\bfetch\(|\bhttps?\.(?:get|request)\(|\b(?:net|tls)\.(?:connect|createConnection)\(|from 'node:https'/,
    folders: ['server'],
    // The embedded server's socket is on this machine.
    reviewedFiles: [
      'server/gateways/challenge/turnstile.ts',
      'server/gateways/identity/check-google.ts',
      'server/gateways/public-address.ts',
      'server/gateways/places/locationiq-places.ts',
      'server/db/running-server.ts',
    ],
  },
  {
    description: 'outgoing requests don’t follow redirects',
    pattern: /\bfetch\((?![^;]*redirect: 'error')/,
    folders: ['server'],
  },
  {
    description: 'input reaches SQL only as a parameter',
    pattern: /sql\.raw\(|\.query\(\s*`[^`]*\$\{/,
    folders: ['server'],
    // These queries contain only names and operators that the program chooses.
    reviewedFiles: [
      'server/db/app-role.ts',
      'server/db/keyset.ts',
      'server/db/migrate.ts',
      'server/db/notifications.ts',
      'server/features/backups/database-copy.store.ts',
      'server/features/payouts/payouts.store.ts',
    ],
  },
  {
    description: 'no regular expression is built from input',
    pattern: /new RegExp\(/,
    folders: PROGRAM_FOLDERS,
    reviewedFiles: [
      'domain/names.ts',
      'domain/safe-text.ts',
      'server/gateways/payments/stripe-sessions.ts',
      'server/gateways/places/fold-name.ts',
      'server/pages/web-pages.ts',
    ],
  },
  {
    description: 'values are compared with === and !==',
    pattern: /[^=!<>'"`]==(?!=)|!=(?!=| null|')/,
    folders: ['contract', 'domain', 'worker'],
  },
];

/** The house rules that a file under src/ breaks, each with the offending text. */
export function findViolations(file: string, source: string): string[] {
  const modulePath = file.replace(/^src\//, '');
  const importViolations = parseImports(source).flatMap(({ from, isTypeOnly }) => {
    const importedModule = resolveModulePath(modulePath, from);
    return RULES.filter((rule) => rule.isBrokenBy(modulePath, importedModule, isTypeOnly)).map(
      (rule) => `${rule.description} (${from})`,
    );
  });
  const brokenSecurityRules = SECURITY_RULES.filter(
    ({ pattern, folders, reviewedFiles = [] }) =>
      isInside(modulePath, ...folders) && !reviewedFiles.includes(modulePath) && pattern.test(source),
  );
  return [
    ...importViolations,
    ...[...TEXT_RULES.filter((rule) => rule.isBrokenBy(modulePath, source)), ...brokenSecurityRules].map(
      ({ description }) => description,
    ),
  ];
}

/**
 * Finds the folders inside a folder that are part of an import cycle, sorted.
 * @param parent 'server/features'
 * @param sources every file under src/ with its text
 */
export function findFoldersInCycles(parent: string, sources: ReadonlyMap<string, string>): string[] {
  const findFolder = (modulePath: string) =>
    isInside(modulePath, parent) ? /^([^/]+)\//.exec(modulePath.slice(parent.length + 1))?.[1] : undefined;
  const imports = new Map<string, Set<string>>();
  for (const [file, source] of sources) {
    const modulePath = file.replace(/^src\//, '');
    const folder = findFolder(modulePath);
    if (folder === undefined) continue;
    const importedFolders = imports.get(folder) ?? new Set();
    for (const { from } of parseImports(source)) {
      const importedFolder = findFolder(resolveModulePath(modulePath, from));
      if (importedFolder !== undefined && importedFolder !== folder) importedFolders.add(importedFolder);
    }
    imports.set(folder, importedFolders);
  }
  const canReach = (from: string, target: string, visitedFolders = new Set<string>()): boolean =>
    [...(imports.get(from) ?? [])].some((dependency) => {
      if (dependency === target) return true;
      if (visitedFolders.has(dependency)) return false;
      return canReach(dependency, target, visitedFolders.add(dependency));
    });
  return [...imports.keys()].filter((folder) => canReach(folder, folder)).sort();
}

function parseImports(source: string): Import[] {
  const statements = source.matchAll(/(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;'"]*?from\s+['"]([^'"]+)['"]/g);
  const dynamicImports = source.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g);
  const sideEffectImports = source.matchAll(/(?:^|\n)import\s+['"]([^'"]+)['"]/g);
  return [
    ...[...statements].map(([, type, from = '']) => ({ from, isTypeOnly: type !== undefined })),
    ...[...dynamicImports, ...sideEffectImports].map(([, from = '']) => ({ from, isTypeOnly: false })),
  ];
}

function resolveModulePath(file: string, from: string): string {
  if (from.startsWith('.')) return path.posix.join(path.posix.dirname(file), from);
  if (from.startsWith('#')) return from.slice(1);
  return `package:${from}`;
}
