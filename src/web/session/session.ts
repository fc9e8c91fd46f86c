/** Who is signed in, as the page knows it (§3). What a person may do, the server decides anew at each call. */
export type Session = {
  readonly authenticated: boolean;
  /** Whether it is known yet who is there. */
  readonly initialized: boolean;
  /** new: somebody is signed in whose profile could not be loaded (§4). */
  readonly status: 'visitor' | 'user' | 'new';
  /** The bearer's identity token, in memory alone; '' for a visitor. */
  readonly idToken: string;
  readonly uid: string;
  readonly email: string;
  readonly displayName: string;
  readonly photoURL: string;
  readonly admin: boolean;
  readonly emailVerified: boolean;
  readonly isAnonymous: boolean;
  /** The ways of signing in that the person has used. */
  readonly providerData: readonly { readonly providerId: string }[];
  /** Whether something waits for the person: the proof of the address. */
  readonly hasNotifications: boolean;
  /** The organisations edited. */
  readonly editorOf: readonly string[];
};

/** The session before it is known who is there; initialized, it is the session without a user (§4). */
export const NOBODY: Session = {
  authenticated: false,
  initialized: false,
  status: 'visitor',
  idToken: '',
  uid: '',
  email: '',
  displayName: '',
  photoURL: '',
  admin: false,
  emailVerified: false,
  isAnonymous: true,
  providerData: [],
  hasNotifications: false,
  editorOf: [],
};
