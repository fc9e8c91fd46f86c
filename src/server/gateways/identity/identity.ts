import type { Actor } from '#domain/permissions.ts';

/** Who the bearer of an identity token is. */
export type Identity = {
  /** Nothing when the token is not valid (any more). */
  actorOf(token: string): Promise<Actor | undefined>;
};

/** Until people can sign in no token is valid, and every caller is a visitor. */
export const nobodySignsIn: Identity = { actorOf: async () => undefined };
