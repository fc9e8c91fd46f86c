const MINUTE = 60_000;

/** How often something may be asked for within a window, which begins with the first time. */
export type Limit = {
  /** By one client, whoever it asks for. */
  readonly perClient: number;
  /** For one email address, whoever asks; absent where no address is named. */
  readonly perAddress?: number;
  readonly windowMs: number;
};

/**
 * Enough for anybody who mistypes, and for a household or an office behind one address; too little to guess a password
 * or to fill somebody's mailbox. Known and unknown addresses are counted alike.
 */
export const LIMITS = {
  /** Mails that somebody asks for: a link to sign in, a sign-up, a proof of the address, a new password. */
  mail: { perAddress: 5, perClient: 30, windowMs: 15 * MINUTE },
  /** Editors who are added: whoever has no account is mailed each time. */
  invitation: { perAddress: 5, perClient: 60, windowMs: 15 * MINUTE },
  /** Tries at a password. */
  password: { perAddress: 10, perClient: 30, windowMs: 15 * MINUTE },
  /** Mailed codes and journeys to Google. No code can be guessed: this only spares the server. */
  code: { perClient: 200, windowMs: 15 * MINUTE },
} as const satisfies Record<string, Limit>;

export type AttemptKind = keyof typeof LIMITS;
