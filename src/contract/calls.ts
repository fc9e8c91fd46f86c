import { fillPath, type PathParams } from './path-pattern.ts';

/** What every path of the calls below starts with (decisions §6). */
export const API_BASE = '/api';

/** Required for changing calls, so that no form on another site can make one. */
export const REQUESTED_WITH_HEADER = 'x-requested-with';
/** The cursor of a list's next page. */
export const NEXT_CURSOR_HEADER = 'x-next-cursor';

/** The number of lines in a downloaded file, without its heading. */
export const LINES_HEADER = 'x-lines';

/** A function for each method weighs least in what every visitor loads. */
const by =
  <Method extends string>(method: Method) =>
  <Path extends string>(path: Path) =>
    ({ method, path }) as const;
const [get, put, post] = [by('GET'), by('PUT'), by('POST')];
const [patch, remove] = [by('PATCH'), by('DELETE')];

/** Every API call (§7): method and path. Its content is in `schemas/`. */
export const CALLS = {
  readSite: get('/site'),
  readCardFee: get('/site/card-fee'),
  readOrgs: get('/orgs'),
  readOrg: get('/orgs/:orgid'),
  createOrg: post('/orgs'),
  readOrgSettings: get('/orgs/:orgid/settings'),
  editOrg: patch('/orgs/:orgid'),
  replaceHeader: put('/orgs/:orgid/header'),
  removeHeader: remove('/orgs/:orgid/header'),
  waitForChange: get('/orgs/:orgid/changes'),
  readCells: get('/orgs/:orgid/cells'),
  readCell: get('/orgs/:orgid/cells/:page/:name'),
  saveCell: put('/orgs/:orgid/cells/:page/:name'),
  resetCell: remove('/orgs/:orgid/cells/:page/:name'),
  readCellVersions: get('/orgs/:orgid/cells/:page/:name/versions'),
  previewCell: post('/orgs/:orgid/cells/:page/:name/preview'),
  addPicture: post('/orgs/:orgid/pictures'),
  readOffsetters: get('/orgs/:orgid/offsetters'),
  readOffsetter: get('/orgs/:orgid/offsetters/:offsetterid'),
  readOffsetterNeighbors: get('/orgs/:orgid/offsetters/:offsetterid/neighbours'),
  readAwardees: get('/orgs/:orgid/awardees'),
  readAwardee: get('/orgs/:orgid/awardees/:awardeeid'),
  readAwardeeNeighbors: get('/orgs/:orgid/awardees/:awardeeid/neighbours'),
  readInstallers: get('/orgs/:orgid/installers'),
  readInstaller: get('/orgs/:orgid/installers/:installerid'),
  readInstallerNeighbors: get('/orgs/:orgid/installers/:installerid/neighbours'),
  createCheckout: post('/orgs/:orgid/checkouts'),
  readCheckout: get('/orgs/:orgid/checkouts/:checkoutid'),
  submitProfile: put('/orgs/:orgid/checkouts/:checkoutid'),
  completeCheckout: patch('/orgs/:orgid/checkouts/:checkoutid/complete'),
  pledgeCheck: post('/orgs/:orgid/pledges'),
  searchCheckouts: post('/orgs/:orgid/checkouts-search'),
  sumCheckouts: post('/orgs/:orgid/checkouts-sums'),
  readCheckoutRecord: get('/orgs/:orgid/checkouts/:checkoutid/record'),
  sendCardTo: put('/orgs/:orgid/checkouts/:checkoutid/card-address'),
  deleteCheckout: remove('/orgs/:orgid/checkouts/:checkoutid'),
  refundPayment: post('/orgs/:orgid/checkouts/:checkoutid/refunds'),
  readGift: get('/orgs/:orgid/gifts/:giftkey'),
  stopGift: post('/orgs/:orgid/gifts/:giftkey/stop'),
  changeGiftCard: post('/orgs/:orgid/gifts/:giftkey/card'),
  changeGift: put('/orgs/:orgid/gifts/:giftkey'),
  pauseGift: put('/orgs/:orgid/gifts/:giftkey/paused'),
  stopCheckoutGift: post('/orgs/:orgid/checkouts/:checkoutid/stop'),
  readPledges: get('/orgs/:orgid/pledges'),
  recordPledge: put('/orgs/:orgid/pledges/:pledgeid'),
  receivePledge: put('/orgs/:orgid/pledges/:pledgeid/received'),
  reversePledge: post('/orgs/:orgid/pledges/:pledgeid/reverse'),
  withdrawPledge: put('/orgs/:orgid/pledges/:pledgeid/withdrawn'),
  readGrants: get('/orgs/:orgid/grants'),
  saveGrant: put('/orgs/:orgid/grants/:grantid'),
  deleteGrant: remove('/orgs/:orgid/grants/:grantid'),
  promiseGrant: put('/orgs/:orgid/grants/:grantid/promise'),
  payGrant: put('/orgs/:orgid/grants/:grantid/payment'),
  noteGrantWork: put('/orgs/:orgid/grants/:grantid/work'),
  reverseGrant: post('/orgs/:orgid/grants/:grantid/reverse'),
  readFreeMoney: get('/orgs/:orgid/grants/free'),
  downloadLedger: get('/orgs/:orgid/ledger'),
  readPayouts: get('/orgs/:orgid/payouts'),
  readPayoutMovements: get('/orgs/:orgid/payouts/:payoutid'),
  readMonth: get('/orgs/:orgid/statements'),
  downloadMonthPdf: get('/orgs/:orgid/statements/pdf'),
  downloadMonthTable: get('/orgs/:orgid/statements/csv'),
  downloadQuickBooks: get('/orgs/:orgid/statements/quickbooks'),
  sendReceipt: post('/orgs/:orgid/ledger/:entryid/receipt-mails'),
  downloadReceipt: get('/orgs/:orgid/ledger/:entryid/receipt'),
  openReceipt: get('/orgs/:orgid/receipts/file'),
  openProof: get('/orgs/:orgid/receipts/proof'),
  readHeads: get('/orgs/:orgid/heads'),
  sendReceiptTo: put('/orgs/:orgid/ledger/:entryid/receipt-address'),
  noteReceiptPosted: put('/orgs/:orgid/ledger/:entryid/receipt-by-post'),
  readUndelivered: get('/orgs/:orgid/receipts/undelivered'),
  readAttention: get('/orgs/:orgid/attention'),
  settleAttention: post('/orgs/:orgid/attention/:itemid/settle'),
  readStrayAttention: get('/attention'),
  settleStrayAttention: post('/attention/:itemid/settle'),
  readOverview: get('/orgs/:orgid/overview'),
  readActivity: get('/orgs/:orgid/activity'),
  readAllActivity: get('/activity'),
  readFigures: get('/operation'),
  checkSettings: post('/operation/checks'),
  readPolicyReports: get('/policy-reports'),
  searchCities: get('/autocomplete'),
  authorize: get('/authorize'),
  readUser: get('/users/:userid'),
  refreshClaims: post('/users/claims'),
  searchUsers: get('/users'),
  setAdmin: put('/users/:userid/admin'),
  removeSecondFactors: remove('/users/:userid/second-factors'),
  readGiving: get('/users/:userid/giving'),
  downloadStatement: get('/users/:userid/statements/:year'),
  downloadUser: get('/users/:userid/data'),
  readOwnActivity: get('/users/:userid/activity'),
  deleteUser: remove('/users/:userid'),

  // The second step of the caller's own logins
  readSecondFactors: get('/second-factors'),
  offerAuthenticator: post('/second-factors/authenticator/offer'),
  addAuthenticator: post('/second-factors/authenticator'),
  removeAuthenticator: remove('/second-factors/authenticator'),
  offerPasskey: post('/second-factors/passkeys/offer'),
  addPasskey: post('/second-factors/passkeys'),
  removePasskey: remove('/second-factors/passkeys/:passkeyid'),
  renewRecoveryCodes: post('/second-factors/recovery-codes'),
  readEditors: get('/orgs/:orgid/editors'),
  addEditor: put('/orgs/:orgid/editors'),
  changeEditor: patch('/orgs/:orgid/editors/:userid'),
  removeEditor: remove('/orgs/:orgid/editors/:userid'),
  keepEditor: put('/orgs/:orgid/editors/:userid/kept'),
  withdrawInvitation: remove('/orgs/:orgid/invitations/:invitationid'),
  readMyOffsetter: get('/orgs/:orgid/my-offsetter'),
  readOffsetterToEdit: get('/orgs/:orgid/offsetters/:offsetterid/edit'),
  claimOffsetter: put('/orgs/:orgid/offsetters/:offsetterid/claim'),
  editOffsetter: put('/orgs/:orgid/offsetters/:offsetterid'),
  deleteOffsetter: remove('/orgs/:orgid/offsetters/:offsetterid'),
  readReview: get('/orgs/:orgid/editor/review'),
  readOffsettersToReview: get('/orgs/:orgid/editor/offsetters'),
  setOffsetterStatus: put('/orgs/:orgid/offsetters/:offsetterid/status'),
  readAwardeesToEdit: get('/orgs/:orgid/editor/awardees'),
  readAwardeeToEdit: get('/orgs/:orgid/awardees/:awardeeid/edit'),
  createAwardee: post('/orgs/:orgid/awardees'),
  editAwardee: put('/orgs/:orgid/awardees/:awardeeid'),
  setAwardeeStatus: put('/orgs/:orgid/awardees/:awardeeid/status'),
  deleteAwardee: remove('/orgs/:orgid/awardees/:awardeeid'),
  readInstallersToEdit: get('/orgs/:orgid/editor/installers'),
  readInstallerToEdit: get('/orgs/:orgid/installers/:installerid/edit'),
  createInstaller: post('/orgs/:orgid/installers'),
  editInstaller: put('/orgs/:orgid/installers/:installerid'),
  setInstallerStatus: put('/orgs/:orgid/installers/:installerid/status'),
  deleteInstaller: remove('/orgs/:orgid/installers/:installerid'),
  readToken: post('/session/token'),
  signInByPassword: post('/session/password'),
  sendSignInLink: post('/session/link-requests'),
  signInByLink: post('/session/link'),
  acceptInvitation: post('/session/invitation'),
  signInByGoogle: post('/session/google'),
  signUp: post('/session/sign-up'),
  sendVerification: post('/session/verification-requests'),
  verifyAddress: post('/session/verification'),
  sendPasswordReset: post('/session/reset-requests'),
  resetPassword: post('/session/reset'),
  changePassword: put('/session/password'),
  sendProofCode: post('/session/proof-codes'),
  startProof: post('/session/proofs/start'),
  startGoogleProof: post('/session/proofs/google'),
  prove: post('/session/proofs'),
  startSecondStep: post('/session/second-step/start'),
  finishSecondStep: post('/session/second-step'),
  startPasskeyLogin: post('/session/passkey/start'),
  signInByPasskey: post('/session/passkey'),
  signOut: post('/session/sign-out'),
  signOutElsewhere: post('/session/sign-out-elsewhere'),
  readSessions: get('/sessions'),
  nameSession: put('/sessions/:sessionid/name'),
  endSession: remove('/sessions/:sessionid'),
  signOutEverywhere: post('/session/sign-out-everywhere'),
  runTest: post('/test'),
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
