import { fillPath, type PathParams } from './path-pattern.ts';

/** Start of every call's path (decisions §6). */
export const API_BASE = '/api';

/** Required for changing calls, so that no form on another site can make one. */
export const REQUESTED_WITH_HEADER = 'x-requested-with';
/** The cursor of a list's next page. */
export const NEXT_CURSOR_HEADER = 'x-next-cursor';

/** The number of lines in a downloaded file, without its heading. */
export const LINES_HEADER = 'x-lines';

/** Makes a function for each method and path prefix, to keep the script that every visitor loads small. */
const callsWith =
  <Method extends string, Prefix extends string>(method: Method, prefix: Prefix) =>
  <Path extends string>(path: Path) =>
    ({ method, path: `${prefix}${path}` }) as const;
const [get, put, post] = [callsWith('GET', ''), callsWith('PUT', ''), callsWith('POST', '')];
const remove = callsWith('DELETE', '');
const ORG = '/orgs/:orgid';
const [orgGet, orgPut, orgPost] = [callsWith('GET', ORG), callsWith('PUT', ORG), callsWith('POST', ORG)];
const [orgPatch, orgRemove] = [callsWith('PATCH', ORG), callsWith('DELETE', ORG)];

/**
 * Marks a call that isn't GET but after which pages keep their loaded data: it changes nothing, or its page reads the data
 * again in a new session.
 */
const keepingData = <Call extends object>(call: Call) => ({ ...call, changes: false }) as const;

/** Every API call (§7): method and path. Its content is in `schemas/`. */
export const CALLS = {
  readSite: get('/site'),
  readCardFee: get('/site/card-fee'),
  readOrgs: get('/orgs'),
  readOrg: orgGet(''),
  createOrg: post('/orgs'),
  readOrgSettings: orgGet('/settings'),
  editOrg: orgPatch(''),
  replaceHeader: orgPut('/header'),
  removeHeader: orgRemove('/header'),
  waitForChange: orgGet('/changes'),
  readFactors: orgGet('/factors'),
  chooseFactors: orgPut('/factors'),
  readCells: orgGet('/cells'),
  readCell: orgGet('/cells/:page/:name'),
  saveCell: orgPut('/cells/:page/:name'),
  resetCell: orgRemove('/cells/:page/:name'),
  readCellVersions: orgGet('/cells/:page/:name/versions'),
  previewCell: keepingData(orgPost('/cells/:page/:name/preview')),
  addPicture: orgPost('/pictures'),
  readOffsetters: orgGet('/offsetters'),
  readOffsetter: orgGet('/offsetters/:offsetterid'),
  readOffsetterNeighbors: orgGet('/offsetters/:offsetterid/neighbours'),
  readAwardees: orgGet('/awardees'),
  readAwardee: orgGet('/awardees/:awardeeid'),
  readAwardeeNeighbors: orgGet('/awardees/:awardeeid/neighbours'),
  readInstallers: orgGet('/installers'),
  readInstaller: orgGet('/installers/:installerid'),
  readInstallerNeighbors: orgGet('/installers/:installerid/neighbours'),
  createCheckout: orgPost('/checkouts'),
  readCheckout: orgGet('/checkouts/:checkoutid'),
  submitProfile: orgPut('/checkouts/:checkoutid'),
  completeCheckout: orgPatch('/checkouts/:checkoutid/complete'),
  pledgeCheck: orgPost('/pledges'),
  searchCheckouts: keepingData(orgPost('/checkouts-search')),
  sumCheckouts: keepingData(orgPost('/checkouts-sums')),
  readCheckoutRecord: orgGet('/checkouts/:checkoutid/record'),
  sendCardTo: orgPut('/checkouts/:checkoutid/card-address'),
  deleteCheckout: orgRemove('/checkouts/:checkoutid'),
  refundPayment: orgPost('/checkouts/:checkoutid/refunds'),
  readGift: orgGet('/gifts/:giftkey'),
  stopGift: orgPost('/gifts/:giftkey/stop'),
  changeGiftCard: orgPost('/gifts/:giftkey/card'),
  changeGift: orgPut('/gifts/:giftkey'),
  pauseGift: orgPut('/gifts/:giftkey/paused'),
  stopCheckoutGift: orgPost('/checkouts/:checkoutid/stop'),
  readPledges: orgGet('/pledges'),
  recordPledge: orgPut('/pledges/:pledgeid'),
  receivePledge: orgPut('/pledges/:pledgeid/received'),
  reversePledge: orgPost('/pledges/:pledgeid/reverse'),
  withdrawPledge: orgPut('/pledges/:pledgeid/withdrawn'),
  readGrants: orgGet('/grants'),
  saveGrant: orgPut('/grants/:grantid'),
  deleteGrant: orgRemove('/grants/:grantid'),
  promiseGrant: orgPut('/grants/:grantid/promise'),
  payGrant: orgPut('/grants/:grantid/payment'),
  recordGrantWork: orgPut('/grants/:grantid/work'),
  reverseGrant: orgPost('/grants/:grantid/reverse'),
  readAvailableFunds: orgGet('/grants/available-funds'),
  readPounds: orgGet('/pounds'),
  downloadPounds: orgGet('/pounds/csv'),
  readDonors: orgGet('/donors'),
  sumDonors: orgGet('/donors/sums'),
  countHomes: keepingData(orgPost('/donors/homes')),
  downloadDonors: orgGet('/donors/csv'),
  readDonor: orgGet('/donors/:donorid'),
  correctDonor: orgPut('/donors/:donorid/contact'),
  claimGifts: orgPut('/donors/:donorid/claim'),
  joinDonor: orgPost('/donors/:donorid/joined'),
  partDonor: orgPost('/donors/:donorid/parted'),
  readDonorGifts: orgGet('/donors/:donorid/gifts'),
  addDonorNote: orgPut('/donors/:donorid/notes/:noteid'),
  removeDonorNote: orgRemove('/donors/:donorid/notes/:noteid'),
  downloadDonorStatement: orgGet('/donors/:donorid/statements/:year'),
  downloadDonorStatements: orgGet('/donors/statements'),
  readRecurringGifts: orgGet('/gifts'),
  sumRecurringGifts: orgGet('/gifts/sums'),
  downloadLedger: orgGet('/ledger'),
  readPayouts: orgGet('/payouts'),
  readPayoutMovements: orgGet('/payouts/:payoutid'),
  readMonth: orgGet('/statements'),
  downloadMonthPdf: orgGet('/statements/pdf'),
  downloadMonthTable: orgGet('/statements/csv'),
  downloadQuickBooks: orgGet('/statements/quickbooks'),
  sendReceipt: orgPost('/ledger/:entryid/receipt-mails'),
  downloadReceipt: orgGet('/ledger/:entryid/receipt'),
  openReceipt: orgGet('/receipts/file'),
  openGiftHomes: orgGet('/receipts/homes'),
  sendReceiptTo: orgPut('/ledger/:entryid/receipt-address'),
  noteReceiptPosted: orgPut('/ledger/:entryid/receipt-by-post'),
  readUndelivered: orgGet('/receipts/undelivered'),
  readAttention: orgGet('/attention'),
  settleAttention: orgPost('/attention/:itemid/settle'),
  readStrayAttention: get('/attention'),
  settleStrayAttention: post('/attention/:itemid/settle'),
  readOverview: orgGet('/overview'),
  readActivity: orgGet('/activity'),
  readAllActivity: get('/activity'),
  readFigures: get('/operation'),
  checkSettings: keepingData(post('/operation/checks')),
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
  deleteUser: keepingData(remove('/users/:userid')),

  // The second step of the caller's own logins
  readSecondFactors: get('/second-factors'),
  offerAuthenticator: keepingData(post('/second-factors/authenticator/offer')),
  addAuthenticator: post('/second-factors/authenticator'),
  removeAuthenticator: remove('/second-factors/authenticator'),
  offerPasskey: keepingData(post('/second-factors/passkeys/offer')),
  addPasskey: post('/second-factors/passkeys'),
  removePasskey: remove('/second-factors/passkeys/:passkeyid'),
  renewRecoveryCodes: post('/second-factors/recovery-codes'),
  readEditors: orgGet('/editors'),
  addEditor: orgPut('/editors'),
  changeEditor: orgPatch('/editors/:userid'),
  removeEditor: orgRemove('/editors/:userid'),
  restoreEditor: orgPut('/editors/:userid/restored'),
  withdrawInvitation: orgRemove('/invitations/:invitationid'),
  readEmailChoices: orgGet('/email-choices'),
  saveEmailChoices: orgPut('/email-choices'),
  readMyOffsetter: orgGet('/my-offsetter'),
  readOffsetterToEdit: orgGet('/offsetters/:offsetterid/edit'),
  claimOffsetter: orgPut('/offsetters/:offsetterid/claim'),
  editOffsetter: orgPut('/offsetters/:offsetterid'),
  deleteOffsetter: orgRemove('/offsetters/:offsetterid'),
  readReview: orgGet('/editor/review'),
  readOffsettersToReview: orgGet('/editor/offsetters'),
  setOffsetterStatus: orgPut('/offsetters/:offsetterid/status'),
  readAwardeesToEdit: orgGet('/editor/awardees'),
  readAwardeeToEdit: orgGet('/awardees/:awardeeid/edit'),
  createAwardee: orgPost('/awardees'),
  editAwardee: orgPut('/awardees/:awardeeid'),
  setAwardeeStatus: orgPut('/awardees/:awardeeid/status'),
  deleteAwardee: orgRemove('/awardees/:awardeeid'),
  readInstallersToEdit: orgGet('/editor/installers'),
  readInstallerToEdit: orgGet('/installers/:installerid/edit'),
  createInstaller: orgPost('/installers'),
  editInstaller: orgPut('/installers/:installerid'),
  setInstallerStatus: orgPut('/installers/:installerid/status'),
  deleteInstaller: orgRemove('/installers/:installerid'),
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
  changePassword: keepingData(put('/session/password')),
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
  runTest: keepingData(post('/test')),
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

/** Receives browsers' reports of blocked content (content security policy). */
export const POLICY_REPORTS_PATH = `${API_BASE}/policy-reports`;
