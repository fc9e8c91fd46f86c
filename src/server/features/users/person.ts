/** Whose data are asked for: what is tied to the account and, where that is proven, to the address. */
export type Person = {
  readonly userId: string;
  /** In small letters. Of an address that is not proven nothing is told or taken away (decisions §4). */
  readonly provenEmail: string | undefined;
};

/** Whose data a user's are. */
export function personOf(user: {
  readonly id: string;
  readonly email: string;
  readonly email_verified: boolean;
}): Person {
  return { userId: user.id, provenEmail: user.email_verified ? user.email : undefined };
}
