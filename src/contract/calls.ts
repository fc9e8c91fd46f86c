import { fillPath, type PathParams } from './path-pattern.ts';

/** What every path of the calls below starts with (decisions §6). */
export const API_BASE = '/api';

/** Required for changing calls, so that no form on another site can make one. */
export const REQUESTED_WITH_HEADER = 'x-requested-with';
/** The cursor of a list's next page. */
export const NEXT_CURSOR_HEADER = 'x-next-cursor';

/** The number of lines in a downloaded file, without its heading. */
export const LINES_HEADER = 'x-lines';

/** Every API call (§7): method and path. Its content is in `schemas/`. */
export const CALLS = {
  readSite: { method: 'GET', path: '/site' },
  readCardFee: { method: 'GET', path: '/site/card-fee' },
  readOrgs: { method: 'GET', path: '/orgs' },
  readOrg: { method: 'GET', path: '/orgs/:orgid' },
  createOrg: { method: 'POST', path: '/orgs' },
  readOrgSettings: { method: 'GET', path: '/orgs/:orgid/settings' },
  editOrg: { method: 'PATCH', path: '/orgs/:orgid' },
  replaceHeader: { method: 'PUT', path: '/orgs/:orgid/header' },
  removeHeader: { method: 'DELETE', path: '/orgs/:orgid/header' },
  waitForChange: { method: 'GET', path: '/orgs/:orgid/changes' },
  readCells: { method: 'GET', path: '/orgs/:orgid/cells' },
  readCell: { method: 'GET', path: '/orgs/:orgid/cells/:page/:name' },
  saveCell: { method: 'PUT', path: '/orgs/:orgid/cells/:page/:name' },
  resetCell: { method: 'DELETE', path: '/orgs/:orgid/cells/:page/:name' },
  readCellVersions: { method: 'GET', path: '/orgs/:orgid/cells/:page/:name/versions' },
  previewCell: { method: 'POST', path: '/orgs/:orgid/cells/:page/:name/preview' },
  addPicture: { method: 'POST', path: '/orgs/:orgid/pictures' },
  readOffsetters: { method: 'GET', path: '/orgs/:orgid/offsetters' },
  readOffsetter: { method: 'GET', path: '/orgs/:orgid/offsetters/:offsetterid' },
  readOffsetterNeighbors: { method: 'GET', path: '/orgs/:orgid/offsetters/:offsetterid/neighbours' },
  readAwardees: { method: 'GET', path: '/orgs/:orgid/awardees' },
  readAwardee: { method: 'GET', path: '/orgs/:orgid/awardees/:awardeeid' },
  readAwardeeNeighbors: { method: 'GET', path: '/orgs/:orgid/awardees/:awardeeid/neighbours' },
  readInstallers: { method: 'GET', path: '/orgs/:orgid/installers' },
  readInstaller: { method: 'GET', path: '/orgs/:orgid/installers/:installerid' },
  readInstallerNeighbors: { method: 'GET', path: '/orgs/:orgid/installers/:installerid/neighbours' },
  createCheckout: { method: 'POST', path: '/orgs/:orgid/checkouts' },
  readCheckout: { method: 'GET', path: '/orgs/:orgid/checkouts/:checkoutid' },
  submitProfile: { method: 'PUT', path: '/orgs/:orgid/checkouts/:checkoutid' },
  completeCheckout: { method: 'PATCH', path: '/orgs/:orgid/checkouts/:checkoutid/complete' },
  pledgeCheck: { method: 'POST', path: '/orgs/:orgid/pledges' },
  searchCheckouts: { method: 'POST', path: '/orgs/:orgid/checkouts-search' },
  sumCheckouts: { method: 'POST', path: '/orgs/:orgid/checkouts-sums' },
  readCheckoutRecord: { method: 'GET', path: '/orgs/:orgid/checkouts/:checkoutid/record' },
  sendCardTo: { method: 'PUT', path: '/orgs/:orgid/checkouts/:checkoutid/card-address' },
  deleteCheckout: { method: 'DELETE', path: '/orgs/:orgid/checkouts/:checkoutid' },
  refundPayment: { method: 'POST', path: '/orgs/:orgid/checkouts/:checkoutid/refunds' },
  readGift: { method: 'GET', path: '/orgs/:orgid/gifts/:giftkey' },
  stopGift: { method: 'POST', path: '/orgs/:orgid/gifts/:giftkey/stop' },
  changeGiftCard: { method: 'POST', path: '/orgs/:orgid/gifts/:giftkey/card' },
  changeGift: { method: 'PUT', path: '/orgs/:orgid/gifts/:giftkey' },
  pauseGift: { method: 'PUT', path: '/orgs/:orgid/gifts/:giftkey/paused' },
  stopCheckoutGift: { method: 'POST', path: '/orgs/:orgid/checkouts/:checkoutid/stop' },
  readPledges: { method: 'GET', path: '/orgs/:orgid/pledges' },
  recordPledge: { method: 'PUT', path: '/orgs/:orgid/pledges/:pledgeid' },
  receivePledge: { method: 'PUT', path: '/orgs/:orgid/pledges/:pledgeid/received' },
  reversePledge: { method: 'POST', path: '/orgs/:orgid/pledges/:pledgeid/reverse' },
  withdrawPledge: { method: 'PUT', path: '/orgs/:orgid/pledges/:pledgeid/withdrawn' },
  downloadLedger: { method: 'GET', path: '/orgs/:orgid/ledger' },
  readPayouts: { method: 'GET', path: '/orgs/:orgid/payouts' },
  readPayoutMovements: { method: 'GET', path: '/orgs/:orgid/payouts/:payoutid' },
  readMonth: { method: 'GET', path: '/orgs/:orgid/statements' },
  downloadMonthPdf: { method: 'GET', path: '/orgs/:orgid/statements/pdf' },
  downloadMonthTable: { method: 'GET', path: '/orgs/:orgid/statements/csv' },
  downloadQuickBooks: { method: 'GET', path: '/orgs/:orgid/statements/quickbooks' },
  sendReceipt: { method: 'POST', path: '/orgs/:orgid/ledger/:entryid/receipt-mails' },
  downloadReceipt: { method: 'GET', path: '/orgs/:orgid/ledger/:entryid/receipt' },
  openReceipt: { method: 'GET', path: '/orgs/:orgid/receipts/file' },
  openProof: { method: 'GET', path: '/orgs/:orgid/receipts/proof' },
  readHeads: { method: 'GET', path: '/orgs/:orgid/heads' },
  sendReceiptTo: { method: 'PUT', path: '/orgs/:orgid/ledger/:entryid/receipt-address' },
  noteReceiptPosted: { method: 'PUT', path: '/orgs/:orgid/ledger/:entryid/receipt-by-post' },
  readUndelivered: { method: 'GET', path: '/orgs/:orgid/receipts/undelivered' },
  readAttention: { method: 'GET', path: '/orgs/:orgid/attention' },
  settleAttention: { method: 'POST', path: '/orgs/:orgid/attention/:itemid/settle' },
  readStrayAttention: { method: 'GET', path: '/attention' },
  settleStrayAttention: { method: 'POST', path: '/attention/:itemid/settle' },
  readOverview: { method: 'GET', path: '/orgs/:orgid/overview' },
  readActivity: { method: 'GET', path: '/orgs/:orgid/activity' },
  readAllActivity: { method: 'GET', path: '/activity' },
  readFigures: { method: 'GET', path: '/operation' },
  checkSettings: { method: 'POST', path: '/operation/checks' },
  readPolicyReports: { method: 'GET', path: '/policy-reports' },
  searchCities: { method: 'GET', path: '/autocomplete' },
  authorize: { method: 'GET', path: '/authorize' },
  readUser: { method: 'GET', path: '/users/:userid' },
  refreshClaims: { method: 'POST', path: '/users/claims' },
  searchUsers: { method: 'GET', path: '/users' },
  setAdmin: { method: 'PUT', path: '/users/:userid/admin' },
  removeSecondFactors: { method: 'DELETE', path: '/users/:userid/second-factors' },
  readGiving: { method: 'GET', path: '/users/:userid/giving' },
  downloadStatement: { method: 'GET', path: '/users/:userid/statements/:year' },
  downloadUser: { method: 'GET', path: '/users/:userid/data' },
  readOwnActivity: { method: 'GET', path: '/users/:userid/activity' },
  deleteUser: { method: 'DELETE', path: '/users/:userid' },

  // The second step of the caller's own logins
  readSecondFactors: { method: 'GET', path: '/second-factors' },
  offerAuthenticator: { method: 'POST', path: '/second-factors/authenticator/offer' },
  addAuthenticator: { method: 'POST', path: '/second-factors/authenticator' },
  removeAuthenticator: { method: 'DELETE', path: '/second-factors/authenticator' },
  offerPasskey: { method: 'POST', path: '/second-factors/passkeys/offer' },
  addPasskey: { method: 'POST', path: '/second-factors/passkeys' },
  removePasskey: { method: 'DELETE', path: '/second-factors/passkeys/:passkeyid' },
  renewRecoveryCodes: { method: 'POST', path: '/second-factors/recovery-codes' },
  readEditors: { method: 'GET', path: '/orgs/:orgid/editors' },
  addEditor: { method: 'PUT', path: '/orgs/:orgid/editors' },
  changeEditor: { method: 'PATCH', path: '/orgs/:orgid/editors/:userid' },
  removeEditor: { method: 'DELETE', path: '/orgs/:orgid/editors/:userid' },
  keepEditor: { method: 'PUT', path: '/orgs/:orgid/editors/:userid/kept' },
  withdrawInvitation: { method: 'DELETE', path: '/orgs/:orgid/invitations/:invitationid' },
  readMyOffsetter: { method: 'GET', path: '/orgs/:orgid/my-offsetter' },
  readOffsetterToEdit: { method: 'GET', path: '/orgs/:orgid/offsetters/:offsetterid/edit' },
  claimOffsetter: { method: 'PUT', path: '/orgs/:orgid/offsetters/:offsetterid/claim' },
  editOffsetter: { method: 'PUT', path: '/orgs/:orgid/offsetters/:offsetterid' },
  deleteOffsetter: { method: 'DELETE', path: '/orgs/:orgid/offsetters/:offsetterid' },
  readReview: { method: 'GET', path: '/orgs/:orgid/editor/review' },
  readOffsettersToReview: { method: 'GET', path: '/orgs/:orgid/editor/offsetters' },
  setOffsetterStatus: { method: 'PUT', path: '/orgs/:orgid/offsetters/:offsetterid/status' },
  readAwardeesToEdit: { method: 'GET', path: '/orgs/:orgid/editor/awardees' },
  readAwardeeToEdit: { method: 'GET', path: '/orgs/:orgid/awardees/:awardeeid/edit' },
  createAwardee: { method: 'POST', path: '/orgs/:orgid/awardees' },
  editAwardee: { method: 'PUT', path: '/orgs/:orgid/awardees/:awardeeid' },
  setAwardeeStatus: { method: 'PUT', path: '/orgs/:orgid/awardees/:awardeeid/status' },
  deleteAwardee: { method: 'DELETE', path: '/orgs/:orgid/awardees/:awardeeid' },
  readInstallersToEdit: { method: 'GET', path: '/orgs/:orgid/editor/installers' },
  readInstallerToEdit: { method: 'GET', path: '/orgs/:orgid/installers/:installerid/edit' },
  createInstaller: { method: 'POST', path: '/orgs/:orgid/installers' },
  editInstaller: { method: 'PUT', path: '/orgs/:orgid/installers/:installerid' },
  setInstallerStatus: { method: 'PUT', path: '/orgs/:orgid/installers/:installerid/status' },
  deleteInstaller: { method: 'DELETE', path: '/orgs/:orgid/installers/:installerid' },
  readToken: { method: 'POST', path: '/session/token' },
  signInByPassword: { method: 'POST', path: '/session/password' },
  sendSignInLink: { method: 'POST', path: '/session/link-requests' },
  signInByLink: { method: 'POST', path: '/session/link' },
  acceptInvitation: { method: 'POST', path: '/session/invitation' },
  signInByGoogle: { method: 'POST', path: '/session/google' },
  signUp: { method: 'POST', path: '/session/sign-up' },
  sendVerification: { method: 'POST', path: '/session/verification-requests' },
  verifyAddress: { method: 'POST', path: '/session/verification' },
  sendPasswordReset: { method: 'POST', path: '/session/reset-requests' },
  resetPassword: { method: 'POST', path: '/session/reset' },
  changePassword: { method: 'PUT', path: '/session/password' },
  sendProofCode: { method: 'POST', path: '/session/proof-codes' },
  startProof: { method: 'POST', path: '/session/proofs/start' },
  startGoogleProof: { method: 'POST', path: '/session/proofs/google' },
  prove: { method: 'POST', path: '/session/proofs' },
  startSecondStep: { method: 'POST', path: '/session/second-step/start' },
  finishSecondStep: { method: 'POST', path: '/session/second-step' },
  startPasskeyLogin: { method: 'POST', path: '/session/passkey/start' },
  signInByPasskey: { method: 'POST', path: '/session/passkey' },
  signOut: { method: 'POST', path: '/session/sign-out' },
  signOutElsewhere: { method: 'POST', path: '/session/sign-out-elsewhere' },
  readSessions: { method: 'GET', path: '/sessions' },
  nameSession: { method: 'PUT', path: '/sessions/:sessionid/name' },
  endSession: { method: 'DELETE', path: '/sessions/:sessionid' },
  signOutEverywhere: { method: 'POST', path: '/session/sign-out-everywhere' },
  runTest: { method: 'POST', path: '/test' },
} as const;

export type Calls = typeof CALLS;
export type CallName = keyof Calls;
export type CallParams<Name extends CallName> = PathParams<Calls[Name]['path']>;

/** The path of a call, such as '/api/orgs/sample'. */
export function callPath<Name extends CallName>(name: Name, params: CallParams<Name>): string {
  // The signature has checked the parameters against this call's pattern.
  return API_BASE + fillPath<string>(CALLS[name].path, params);
}

/** Server-sent events about an organization's changes (decisions §6). */
export const LIVE_PATH = '/orgs/:orgid/live';

/** The payment provider's webhook, authenticated by its signature alone. */
export const WEBHOOK_PATH = `${API_BASE}/webhooks/stripe`;

/** For the operator's monitoring. */
export const METRICS_PATH = '/metrics';

/** Where browsers report what the content security policy blocked. */
export const POLICY_REPORTS_PATH = `${API_BASE}/policy-reports`;
