const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Property by which requests are counted. Requests are never counted by organization alone.
 *
 * - client: an IPv4 address, or a household's IPv6 network of 64 bits. Networks of 56 and 48 bits get 4 and 16 times the limit.
 * - device: a browser in which the owner of the address has logged in.
 * - userId: a user.
 * - resource: the subject of the action, such as one receipt that is emailed again.
 */
export type CountedBy = 'client' | 'email' | 'device' | 'userId' | 'resource';

/** Number of requests allowed in a window, which starts with its first request. */
export type CountLimit = {
  readonly keys: readonly CountedBy[];
  readonly max: number;
  readonly windowMs: number;
};

export type Limit = {
  /** Checked in order. A request rejected by one doesn't count for the next. */
  readonly counts: readonly CountLimit[];
  /** Replaces `counts` in a known browser, so that requests from elsewhere can't lock the owner out. */
  readonly knownBrowserCounts?: readonly CountLimit[];
};

/** High enough for typos and for an office behind one IP address; too low to guess a password or flood a mailbox. */
export const LIMITS = {
  /** Requests for an email: sign-in link, sign-up, verification, new password. */
  mail: {
    counts: [
      { keys: ['client'], max: 30, windowMs: 15 * MINUTE },
      { keys: ['email', 'client'], max: 5, windowMs: 15 * MINUTE },
    ],
    knownBrowserCounts: [{ keys: ['email', 'device'], max: 5, windowMs: 15 * MINUTE }],
  },
  /** Emails to an address, requested from all networks. Further emails are delayed, see email-pace.ts. */
  mailbox: { counts: [{ keys: ['email'], max: 10, windowMs: HOUR }] },
  /** Added editors, each of whom may get an email. */
  invitation: {
    counts: [
      { keys: ['client'], max: 60, windowMs: 15 * MINUTE },
      { keys: ['email'], max: 5, windowMs: 15 * MINUTE },
      { keys: ['userId'], max: 30, windowMs: 24 * HOUR },
    ],
  },
  /** Removed editors. Each removal emails all other editors. */
  removal: { counts: [{ keys: ['userId'], max: 30, windowMs: 24 * HOUR }] },
  /** Wrong passwords. A correct password doesn't count. */
  password: {
    counts: [
      { keys: ['client'], max: 30, windowMs: 15 * MINUTE },
      { keys: ['email', 'client'], max: 10, windowMs: 15 * MINUTE },
      { keys: ['email'], max: 40, windowMs: HOUR },
    ],
    knownBrowserCounts: [{ keys: ['email', 'device'], max: 10, windowMs: 15 * MINUTE }],
  },
  /** Failed confirmations of logged-in users. They can still log in again, which counts separately. */
  confirmation: { counts: [{ keys: ['userId'], max: 10, windowMs: HOUR }] },
  /** Wrong codes after a correct first step. A correct code doesn't count. An authenticator app accepts 3 codes in a million. */
  'second-step': {
    counts: [
      { keys: ['client'], max: 60, windowMs: 15 * MINUTE },
      { keys: ['userId', 'client'], max: 10, windowMs: 15 * MINUTE },
      { keys: ['userId'], max: 60, windowMs: 24 * HOUR },
    ],
    // A stranger who knows only the password has never completed a login, so they can't exhaust these limits.
    knownBrowserCounts: [
      { keys: ['userId', 'device'], max: 10, windowMs: 15 * MINUTE },
      { keys: ['userId'], max: 60, windowMs: 24 * HOUR },
    ],
  },
  /** Recovery codes can't be guessed. They count separately, so wrong second steps elsewhere don't block the owner. */
  'recovery-code': { counts: [{ keys: ['client'], max: 60, windowMs: 15 * MINUTE }] },
  /** Removals of other users' second step by an admin. */
  'second-step-removal': { counts: [{ keys: ['userId'], max: 10, windowMs: 24 * HOUR }] },
  /** Emailed links and logins with Google. They can't be guessed, so this limit only protects the server. */
  code: { counts: [{ keys: ['client'], max: 400, windowMs: 15 * MINUTE }] },
  /** Unpaid checkouts: a school of 300 donors behind one address may open two each. A paid checkout is subtracted again. */
  checkout: { counts: [{ keys: ['client'], max: 600, windowMs: 10 * MINUTE }] },
  /**
   * Declined cards minus paid gifts, to detect people who test stolen cards. The second limit applies while the total of
   * declined cards is too high. See decline-limits.ts.
   */
  'declined-card': { counts: [{ keys: ['client'], max: 20, windowMs: HOUR }] },
  'declined-card-in-attack': { counts: [{ keys: ['client'], max: 3, windowMs: HOUR }] },
  'declined-cards': { counts: [{ keys: ['resource'], max: 100, windowMs: HOUR }] },
  /** Declined cards on one payment page. No donor tries ten cards. */
  'declined-on-page': { counts: [{ keys: ['resource'], max: 9, windowMs: 24 * HOUR }] },
  /** Emails to the admins about declined cards. */
  'card-alarm': { counts: [{ keys: ['resource'], max: 1, windowMs: 6 * HOUR }] },
  pledge: {
    counts: [
      { keys: ['client'], max: 400, windowMs: 10 * MINUTE },
      { keys: ['email', 'client'], max: 10, windowMs: HOUR },
    ],
  },
  /** Pledges above this limit are stored, but listed separately for an editor to review. */
  'likely-pledge': {
    counts: [
      { keys: ['client'], max: 30, windowMs: 24 * HOUR },
      { keys: ['email'], max: 3, windowMs: 24 * HOUR },
    ],
  },
  /** Forms with a photo: a school of 300 donors may send each twice. A visitor's published story is subtracted again. */
  upload: {
    counts: [
      { keys: ['client'], max: 600, windowMs: 10 * MINUTE },
      { keys: ['resource'], max: 30, windowMs: HOUR },
      { keys: ['userId'], max: 240, windowMs: HOUR },
    ],
  },
  /**
   * Reads of unpaid checkouts that query the payment provider. Above the limit, the stored status is used until the
   * provider reports. The provider allows a hundred requests a second, which real gifts need.
   */
  'payment-question': {
    counts: [
      { keys: ['client'], max: 3000, windowMs: 10 * MINUTE },
      { keys: ['resource'], max: 12_000, windowMs: 10 * MINUTE },
    ],
  },
  /** Changes to a recurring gift through its link. The donor gets an email about each change. */
  'gift-change': {
    counts: [
      { keys: ['client'], max: 60, windowMs: 15 * MINUTE },
      { keys: ['resource'], max: 20, windowMs: HOUR },
    ],
  },
  /** City searches, one for each letter typed. */
  search: { counts: [{ keys: ['client'], max: 12_000, windowMs: 10 * MINUTE }] },
  /** Requests for donors' details: checkouts, pledges, and receipts. */
  'donor-list': { counts: [{ keys: ['userId'], max: 600, windowMs: 10 * MINUTE }] },
  /** Rows of donors' details read in an organization. Downloads require a confirmation, and contain all rows. */
  'donor-rows': { counts: [{ keys: ['userId', 'resource'], max: 10_000, windowMs: 24 * HOUR }] },
  /** CSP violation reports. */
  'policy-report': { counts: [{ keys: ['client'], max: 300, windowMs: 10 * MINUTE }] },
  /** Expensive calls, such as PDF receipts: 300 donors behind one address may open their receipts. */
  expensive: {
    counts: [
      { keys: ['client'], max: 300, windowMs: 10 * MINUTE },
      { keys: ['userId'], max: 120, windowMs: 10 * MINUTE },
    ],
  },
  /** Receipts and tribute cards resent by an editor. */
  'mail-again': {
    counts: [
      { keys: ['resource'], max: 4, windowMs: HOUR },
      { keys: ['userId'], max: 120, windowMs: HOUR },
    ],
  },
} as const satisfies Record<string, Limit>;

export type LimitedAction = keyof typeof LIMITS;
