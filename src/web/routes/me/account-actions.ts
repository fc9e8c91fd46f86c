/** What somebody can do about the own account. Each one throws what its call is refused with. */
export type AccountActions = {
  /** Mails a link that proves the address. */
  readonly sendVerification: () => Promise<void>;
  /** @param current the password until now, where there is one */
  readonly changePassword: (password: string, current: string | undefined) => Promise<void>;
  readonly signOutEverywhere: () => Promise<void>;
  readonly download: () => Promise<void>;
  readonly deleteAccount: () => Promise<void>;
};
