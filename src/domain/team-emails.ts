import type { Action } from './permissions.ts';

const EMAIL_FREQUENCIES = ['each', 'daily', 'never'] as const;

/** Frequencies that a team member can choose for each topic of an organization's emails. */
export const EMAIL_TOPICS = {
  gifts: EMAIL_FREQUENCIES,
  stories: EMAIL_FREQUENCIES,
  /** Disputes, failed and ended recurring gifts, bounced receipts, and money that needs attention. */
  problems: ['each', 'never'],
  statements: ['each', 'never'],
} as const satisfies Readonly<Record<string, readonly (typeof EMAIL_FREQUENCIES)[number][]>>;

export type EmailTopic = keyof typeof EMAIL_TOPICS;
export type EmailChoices = { readonly [Topic in EmailTopic]: (typeof EMAIL_TOPICS)[Topic][number] };

export const DEFAULT_EMAIL_CHOICES: EmailChoices = {
  gifts: 'never',
  stories: 'each',
  problems: 'each',
  statements: 'each',
};

/** The permission required to receive emails about a topic. */
export const TOPIC_PERMISSIONS: Readonly<Record<EmailTopic, Action>> = {
  gifts: 'checkouts.read',
  stories: 'stories.edit',
  problems: 'checkouts.read',
  statements: 'books.read',
};

/** The permission that each kind of email requires: to read about money or stories, or to act on a problem. */
export const TEAM_EMAIL_PERMISSIONS = {
  gift: TOPIC_PERMISSIONS.gifts,
  story: TOPIC_PERMISSIONS.stories,
  daily: 'area.visit',
  renewal: 'recurring-gifts.stop',
  ended: 'recurring-gifts.stop',
  receipt: 'receipts.send',
  attention: 'attention.resolve',
  statement: TOPIC_PERMISSIONS.statements,
} as const satisfies Readonly<Record<string, Action>>;

export type TeamEmailKind = keyof typeof TEAM_EMAIL_PERMISSIONS;
