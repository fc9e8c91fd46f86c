const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * What a request is counted by, never by the organization alone. client: an IPv4 address, or an IPv6 network of 64 bits,
 * which one household shares; networks of 56 and 48 bits may do 4 and 16 times as much. device: a browser in which the owner of the address has logged in. person: a user.
 * thing: what is done again and again, such as the mailing of one receipt.
 */
export type CountedBy = 'client' | 'email' | 'device' | 'person' | 'thing';

/** How many requests are allowed in a window, which starts with the first of them. */
export type Count = {
  readonly by: readonly CountedBy[];
  readonly most: number;
  readonly windowMs: number;
};

export type Limit = {
  /** In order: who is refused by one uses up nothing of the next. */
  readonly counts: readonly Count[];
  /** Counted instead in a known browser, so that nobody elsewhere can lock the owner out. */
  readonly inKnownDevice?: readonly Count[];
};

/** Enough for typing errors and for an office behind one IP address; too few to guess a password or flood a mailbox. */
export const LIMITS = {
  /** Requests for a mail: sign-in link, sign-up, verification, new password. */
  mail: {
    counts: [
      { by: ['client'], most: 30, windowMs: 15 * MINUTE },
      { by: ['email', 'client'], most: 5, windowMs: 15 * MINUTE },
    ],
    inKnownDevice: [{ by: ['email', 'device'], most: 5, windowMs: 15 * MINUTE }],
  },
  /** Mails to an address from all networks. With more they come at a slow pace, see mail-pace.ts. */
  mailbox: { counts: [{ by: ['email'], most: 10, windowMs: HOUR }] },
  /** Added editors, each of whom may get a mail. */
  invitation: {
    counts: [
      { by: ['client'], most: 60, windowMs: 15 * MINUTE },
      { by: ['email'], most: 5, windowMs: 15 * MINUTE },
      { by: ['person'], most: 30, windowMs: 24 * HOUR },
    ],
  },
  /** Removed editors: each of the others gets a mail. */
  removal: { counts: [{ by: ['person'], most: 30, windowMs: 24 * HOUR }] },
  /** Wrong passwords: a right one uses up nothing. */
  password: {
    counts: [
      { by: ['client'], most: 30, windowMs: 15 * MINUTE },
      { by: ['email', 'client'], most: 10, windowMs: 15 * MINUTE },
      { by: ['email'], most: 40, windowMs: HOUR },
    ],
    inKnownDevice: [{ by: ['email', 'device'], most: 10, windowMs: 15 * MINUTE }],
  },
  /** Wrong proofs of someone who is logged in already, who can also log in again: that is counted apart. */
  proof: { counts: [{ by: ['person'], most: 10, windowMs: HOUR }] },
  /** Wrong codes after a right first step: a right one uses up nothing. An authenticator has three right ones of a million. */
  'second-step': {
    counts: [
      { by: ['client'], most: 60, windowMs: 15 * MINUTE },
      { by: ['person', 'client'], most: 10, windowMs: 15 * MINUTE },
      { by: ['person'], most: 60, windowMs: 24 * HOUR },
    ],
    // Who knows only the password has not logged in before, and cannot use these up.
    inKnownDevice: [
      { by: ['person', 'device'], most: 10, windowMs: 15 * MINUTE },
      { by: ['person'], most: 60, windowMs: 24 * HOUR },
    ],
  },
  /** Recovery codes can't be guessed, so wrong second steps elsewhere never keep their owner from using one. */
  'recovery-code': { counts: [{ by: ['client'], most: 60, windowMs: 15 * MINUTE }] },
  /** Second steps of others that an admin removes. */
  'second-step-removal': { counts: [{ by: ['person'], most: 10, windowMs: 24 * HOUR }] },
  /** Mailed links and trips to Google. They cannot be guessed: this only protects the server. */
  code: { counts: [{ by: ['client'], most: 400, windowMs: 15 * MINUTE }] },
  /** Opened and not paid: a school of 300 donors behind one address opens each twice. A paid one is given back. */
  checkout: { counts: [{ by: ['client'], most: 600, windowMs: 10 * MINUTE }] },
  /**
   * Declined cards, less the gifts that were paid: who tries stolen cards has many. The second one holds while many are
   * declined in all. See card-brake.ts.
   */
  'declined-card': { counts: [{ by: ['client'], most: 20, windowMs: HOUR }] },
  'declined-card-in-attack': { counts: [{ by: ['client'], most: 3, windowMs: HOUR }] },
  'declined-cards': { counts: [{ by: ['thing'], most: 100, windowMs: HOUR }] },
  /** On one payment page: nobody has ten cards. */
  'declined-on-page': { counts: [{ by: ['thing'], most: 9, windowMs: 24 * HOUR }] },
  /** Mails to the admins about them. */
  'card-alarm': { counts: [{ by: ['thing'], most: 1, windowMs: 6 * HOUR }] },
  pledge: {
    counts: [
      { by: ['client'], most: 400, windowMs: 10 * MINUTE },
      { by: ['email', 'client'], most: 10, windowMs: HOUR },
    ],
  },
  /** More of these are kept, but wait apart for an editor. */
  'likely-pledge': {
    counts: [
      { by: ['client'], most: 30, windowMs: 24 * HOUR },
      { by: ['email'], most: 3, windowMs: 24 * HOUR },
    ],
  },
  /** Forms with a photo: a school of 300 donors sends each twice. A story that is told is given back. */
  upload: {
    counts: [
      { by: ['client'], most: 600, windowMs: 10 * MINUTE },
      { by: ['thing'], most: 30, windowMs: HOUR },
      { by: ['person'], most: 240, windowMs: HOUR },
    ],
  },
  /**
   * Questions to the payment provider by readers of unpaid checkouts. With more the stored answer has to do until the
   * provider's own report comes: it answers a hundred a second, which are for real gifts.
   */
  'payment-question': {
    counts: [
      { by: ['client'], most: 3000, windowMs: 10 * MINUTE },
      { by: ['thing'], most: 12_000, windowMs: 10 * MINUTE },
    ],
  },
  /** Changes of a recurring gift through its link. Each is emailed to the donor. */
  'gift-change': {
    counts: [
      { by: ['client'], most: 60, windowMs: 15 * MINUTE },
      { by: ['thing'], most: 20, windowMs: HOUR },
    ],
  },
  /** Cities, while their names are typed. */
  search: { counts: [{ by: ['client'], most: 12_000, windowMs: 10 * MINUTE }] },
  /** Requests for donors' details: checkouts, pledges, and receipts. */
  'donor-list': { counts: [{ by: ['person'], most: 600, windowMs: 10 * MINUTE }] },
  /** Rows of these, for each organization. The downloads, which need a confirmation, have all rows. */
  'donor-rows': { counts: [{ by: ['person', 'thing'], most: 10_000, windowMs: 24 * HOUR }] },
  /** Browsers behind one address, with their reports of what the content security policy blocked. */
  'policy-report': { counts: [{ by: ['client'], most: 300, windowMs: 10 * MINUTE }] },
  /** Files, and homes of gifts: 300 donors behind one address open their receipts. */
  costly: {
    counts: [
      { by: ['client'], most: 300, windowMs: 10 * MINUTE },
      { by: ['person'], most: 120, windowMs: 10 * MINUTE },
    ],
  },
  /** Receipts and cards that an editor mails again. */
  'mail-again': {
    counts: [
      { by: ['thing'], most: 4, windowMs: HOUR },
      { by: ['person'], most: 120, windowMs: HOUR },
    ],
  },
} as const satisfies Record<string, Limit>;

export type LimitedAction = keyof typeof LIMITS;
