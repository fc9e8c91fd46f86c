declare const kind: unique symbol;

/**
 * An id of one kind. An id of another kind isn't assignable to it, but a plain string is, so tests and URL parameters don't
 * need a cast.
 */
type IdOf<Kind extends string> = string & { readonly [kind]?: Kind };

export type OrgId = IdOf<'org'>;
export type UserId = IdOf<'user'>;
export type CheckoutId = IdOf<'checkout'>;
