const MINUTE = 60_000;

/** How many requests are allowed in a window, which starts with the first of them. */
export type Limit = {
  /** By one client, whichever addresses it names. */
  readonly perClient: number;
  /** For one email address, from any client. */
  readonly perAddress?: number;
  readonly windowMs: number;
};

/** Enough for typing errors and for an office behind one IP address; too few to guess a password or flood a mailbox. */
export const LIMITS = {
  /** Requests for a mail: sign-in link, sign-up, verification, new password. */
  mail: { perAddress: 5, perClient: 30, windowMs: 15 * MINUTE },
  /** Added editors, each of whom may get a mail. */
  invitation: { perAddress: 5, perClient: 60, windowMs: 15 * MINUTE },
  password: { perAddress: 10, perClient: 30, windowMs: 15 * MINUTE },
  /** Mailed codes and trips to Google. Codes cannot be guessed: this only protects the server. */
  code: { perClient: 200, windowMs: 15 * MINUTE },
} as const satisfies Record<string, Limit>;

export type LimitedAction = keyof typeof LIMITS;
