import { isSlug, MAX_SLUG_LENGTH, MIN_SLUG_LENGTH } from '#domain/org.ts';
import { isEmail } from '#domain/profile.ts';
import { ConfigError, readConfig } from '#server/config.ts';

export type Settings = Readonly<Record<string, string>>;

export type Question = {
  readonly text: string;
  readonly example: string;
  /** True to hide the answer as it is typed. */
  readonly isSecret?: boolean;
  /** Display name of each setting in the answer. */
  readonly names: Settings;
  /** Parses an answer. @returns its settings, or a sentence that explains the problem */
  readonly parse: (answer: string) => Settings | string;
};

/** Settings that production requires. Everything else has a default (docs/settings.md). */
export const QUESTIONS: readonly Question[] = [
  {
    text: 'The address of the site. Its domain must point to this machine.',
    example: 'fund.example.org',
    names: { PUBLIC_URL: 'The address of the site' },
    parse: (answer) => ({ PUBLIC_URL: answer.includes('://') ? answer : `https://${answer}` }),
  },
  {
    text: 'The short name of your first fund, used in its addresses.',
    example: 'ithaca',
    names: { DEFAULT_ORG: 'The short name' },
    parse: (answer) =>
      isSlug(answer, [])
        ? { DEFAULT_ORG: answer }
        : `Please use ${MIN_SLUG_LENGTH} to ${MAX_SLUG_LENGTH} of a–z, 0–9, and single hyphens.`,
  },
  {
    text: 'The legal name of the organization that receives the gifts, as receipts should show it.',
    example: 'Friends of Ithaca Inc.',
    names: { PARENT_NAME: 'The legal name' },
    parse: (answer) => ({ PARENT_NAME: replaceApostrophes(answer) }),
  },
  {
    text: 'Its tax number (EIN).',
    example: '12-3456789',
    names: { PARENT_EIN: 'The tax number' },
    parse: (answer) => {
      const [, prefix, serialNumber] = /^(\d{2})-?(\d{7})$/.exec(answer) ?? [];
      return prefix && serialNumber
        ? { PARENT_EIN: `${prefix}-${serialNumber}` }
        : 'An EIN has nine digits, such as 12-3456789.';
    },
  },
  {
    text: 'Its postal address, on one line.',
    example: '1 Main Street, Ithaca, NY 14850',
    names: { PARENT_ADDRESS: 'The postal address' },
    parse: (answer) => ({ PARENT_ADDRESS: replaceApostrophes(answer) }),
  },
  {
    text: 'The email address for donors. If the first admin has a different address, add it after a space.',
    example: 'gifts@fund.example.org you@example.org',
    names: { CONTACT_EMAIL: 'The address for donors', ADMIN_EMAILS: 'The address of the first admin' },
    parse: (answer) => {
      const [contact = '', admin = contact, ...extraAddresses] = answer.split(/[\s,;]+/);
      if (extraAddresses.length > 0) return 'Please type at most two addresses.';
      if (![contact, admin].every(isEmail)) return 'Please type one email address, or two with a space between them.';
      return { CONTACT_EMAIL: contact, ADMIN_EMAILS: admin };
    },
  },
  {
    text: 'Your mail server, user, and password, with spaces between them (or as smtps://user:password@host).',
    example: 'mail.example.org:587 gifts password',
    names: { SMTP_URL: 'Your answer' },
    isSecret: true,
    parse: (answer) => ({ SMTP_URL: answer.includes('://') ? answer : toSmtpUrl(answer) }),
  },
  {
    text: 'The secret key of your Stripe account. If you created its webhook manually, add the signing secret after a space.',
    example: 'sk_live_…',
    names: { STRIPE_SECRET_KEY: 'The key', STRIPE_WEBHOOK_SECRET: 'The signing secret' },
    isSecret: true,
    parse: (answer) => {
      const parts = answer.split(/[\s,;]+/);
      const secrets = parts.filter((part) => part.startsWith('whsec_'));
      const [key, ...extraKeys] = parts.filter((part) => !part.startsWith('whsec_'));
      if (!key || extraKeys.length > 0 || secrets.length > 1)
        return 'Please type one key, and at most one secret that begins with whsec_.';
      const isTest = /^[a-z]+_test_/.test(key);
      return {
        STRIPE_SECRET_KEY: key,
        ...(secrets[0] ? { STRIPE_WEBHOOK_SECRET: secrets[0] } : {}),
        ...(isTest ? { ALLOW_TEST_PAYMENTS: 'true' } : {}),
      };
    },
  },
];

/** Rewords a line of `findProblems` for operators who don't know the names of settings yet. */
export function describeProblem({ names }: Pick<Question, 'names'>, problem: string): string {
  const [, name = '', reason] = /^([A-Z\d_]+): (.+)$/.exec(problem) ?? [];
  return names[name] === undefined ? problem : `${names[name]} ${reason}.`;
}

/** Replaces apostrophes, since one would end the value in a settings file. */
function replaceApostrophes(text: string): string {
  return text.replaceAll("'", '’');
}

function toSmtpUrl(answer: string): string {
  const [, host = '', port, user = '', password = ''] =
    /^([^\s:]+)(?:(?::|\s+)(\d+))?\s+(\S+)\s+(.+)$/.exec(answer) ?? [];
  const protocol = port === '465' ? 'smtps' : 'smtp';
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`.replaceAll("'", '%27');
  return `${protocol}://${login}@${host}:${port ?? 587}`;
}

/** Placeholder for the signing secret of a webhook that doesn't exist yet. */
export const ANY_WEBHOOK_SECRET = 'whsec_of_nobody_and_of_nothing_at_all';

/** Valid values for the other required settings. */
const VALID_SETTINGS: Settings = {
  NODE_ENV: 'production',
  DATABASE: 'embedded',
  PUBLIC_URL: 'https://fund.example',
  DEFAULT_ORG: 'fund',
  PARENT_NAME: 'Fund',
  PARENT_EIN: '12-3456789',
  PARENT_ADDRESS: '1 Main Street',
  CONTACT_EMAIL: 'fund@fund.example',
  SMTP_URL: 'smtps://mail.example',
  STRIPE_SECRET_KEY: 'sk_live_of_nobody',
  STRIPE_WEBHOOK_SECRET: ANY_WEBHOOK_SECRET,
};

/** Problems that the server would report for these settings, without any values. Other settings may be missing. */
export function findProblems(settings: Settings): string[] {
  const database = settings.DATABASE_URL === undefined ? {} : { DATABASE: '' };
  return findAllProblems({ ...VALID_SETTINGS, ...database, ...settings });
}

/** Problems that the server would report if these were all of its settings. */
export function findAllProblems(settings: Settings): string[] {
  const names = Object.keys(settings);
  const unquotableNames = names.filter((name) => /['\r\n]/.test(settings[name] ?? ''));
  if (unquotableNames.length > 0) return unquotableNames.map((name) => `${name}: must not contain an apostrophe`);
  try {
    readConfig(settings);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
}

/** Quotes values so that Node, Compose, and systemd all read them literally. */
export function formatSettings(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('');
}
