import { getStoredText } from '#web/browser/stored-text.ts';

/** The email that a sign-in link was sent to. With it, the link works in this browser without asking for the email (§4). */
export const getSignInEmailStorage = () => getStoredText('email-for-sign-in');
