import { browserText } from '#web/api/browser-text.ts';

/** The address that a sign-in link was asked for, so that the link need not ask for it again in the same browser (§4). */
export const keptEmail = () => browserText('email-for-sign-in');
