// @spec 7.create-checkout 7.complete-checkout 7.submit-profile 7.autocomplete 7.stories 7.offsetter 7.awardee
// @spec 7.checkout 7.installers 7.neighbors decisions.6
import { expect, test } from 'vitest';
import { API_BASE, CALLS, type CallName, callPath } from '#contract/calls.ts';
import { type CallSchema, SCHEMAS } from '#contract/schemas.ts';

/** The calls of §7 and decisions §6 by method and path, spelled as in the specification. */
const SPECIFIED: Record<CallName, string> = {
  readSite: 'GET /site',
  readCardFee: 'GET /site/card-fee',
  readOrgs: 'GET /orgs',
  readOrg: 'GET /orgs/{orgid}',
  createOrg: 'POST /orgs',
  readOrgSettings: 'GET /orgs/{orgid}/settings',
  editOrg: 'PATCH /orgs/{orgid}',
  readFirstSteps: 'GET /orgs/{orgid}/first-steps',
  dismissFirstSteps: 'PUT /orgs/{orgid}/first-steps',
  replaceHeader: 'PUT /orgs/{orgid}/header',
  removeHeader: 'DELETE /orgs/{orgid}/header',
  readFactors: 'GET /orgs/{orgid}/factors',
  chooseFactors: 'PUT /orgs/{orgid}/factors',
  waitForChange: 'GET /orgs/{orgid}/changes',
  readCells: 'GET /orgs/{orgid}/cells',
  readCell: 'GET /orgs/{orgid}/cells/{page}/{name}',
  saveCell: 'PUT /orgs/{orgid}/cells/{page}/{name}',
  resetCell: 'DELETE /orgs/{orgid}/cells/{page}/{name}',
  readCellVersions: 'GET /orgs/{orgid}/cells/{page}/{name}/versions',
  previewCell: 'POST /orgs/{orgid}/cells/{page}/{name}/preview',
  addPicture: 'POST /orgs/{orgid}/pictures',
  readOffsetters: 'GET /orgs/{orgid}/offsetters',
  readOffsetter: 'GET /orgs/{orgid}/offsetters/{offsetterid}',
  readOffsetterNeighbors: 'GET /orgs/{orgid}/offsetters/{offsetterid}/neighbours',
  readAwardees: 'GET /orgs/{orgid}/awardees',
  readAwardee: 'GET /orgs/{orgid}/awardees/{awardeeid}',
  readAwardeeNeighbors: 'GET /orgs/{orgid}/awardees/{awardeeid}/neighbours',
  readInstallers: 'GET /orgs/{orgid}/installers',
  readInstaller: 'GET /orgs/{orgid}/installers/{installerid}',
  readInstallerNeighbors: 'GET /orgs/{orgid}/installers/{installerid}/neighbours',
  createCheckout: 'POST /orgs/{orgid}/checkouts',
  readCheckout: 'GET /orgs/{orgid}/checkouts/{checkoutid}',
  openCheckoutReceipt: 'GET /orgs/{orgid}/checkouts/{checkoutid}/receipt',
  submitProfile: 'PUT /orgs/{orgid}/checkouts/{checkoutid}',
  completeCheckout: 'PATCH /orgs/{orgid}/checkouts/{checkoutid}/complete',
  pledgeCheck: 'POST /orgs/{orgid}/pledges',
  searchCheckouts: 'POST /orgs/{orgid}/checkouts-search',
  sumCheckouts: 'POST /orgs/{orgid}/checkouts-sums',
  downloadCheckouts: 'GET /orgs/{orgid}/checkouts-search/csv',
  readCheckoutRecord: 'GET /orgs/{orgid}/checkouts/{checkoutid}/record',
  deleteCheckout: 'DELETE /orgs/{orgid}/checkouts/{checkoutid}',
  refundPayment: 'POST /orgs/{orgid}/checkouts/{checkoutid}/refunds',
  sendCardTo: 'PUT /orgs/{orgid}/checkouts/{checkoutid}/card-address',
  addTeamNote: 'PUT /orgs/{orgid}/team-notes/{noteid}',
  removeTeamNote: 'DELETE /orgs/{orgid}/team-notes/{noteid}',
  readGrants: 'GET /orgs/{orgid}/grants',
  sumGrants: 'GET /orgs/{orgid}/grants/sums',
  readGrant: 'GET /orgs/{orgid}/grants/{grantid}',
  saveGrant: 'PUT /orgs/{orgid}/grants/{grantid}',
  deleteGrant: 'DELETE /orgs/{orgid}/grants/{grantid}',
  promiseGrant: 'PUT /orgs/{orgid}/grants/{grantid}/promise',
  payGrant: 'PUT /orgs/{orgid}/grants/{grantid}/payment',
  recordGrantWork: 'PUT /orgs/{orgid}/grants/{grantid}/work',
  reverseGrant: 'POST /orgs/{orgid}/grants/{grantid}/reverse',
  readAvailableFunds: 'GET /orgs/{orgid}/grants/available-funds',
  readPounds: 'GET /orgs/{orgid}/pounds',
  downloadPounds: 'GET /orgs/{orgid}/pounds/csv',
  readCheckRecord: 'GET /orgs/{orgid}/pledges/{pledgeid}',
  readRecurringGift: 'GET /orgs/{orgid}/recurring-gifts/{giftkey}',
  stopRecurringGift: 'POST /orgs/{orgid}/recurring-gifts/{giftkey}/stop',
  changeRecurringGiftCard: 'POST /orgs/{orgid}/recurring-gifts/{giftkey}/card',
  changeRecurringGift: 'PUT /orgs/{orgid}/recurring-gifts/{giftkey}',
  pauseRecurringGift: 'PUT /orgs/{orgid}/recurring-gifts/{giftkey}/paused',
  stopRecurringGiftOfCheckout: 'POST /orgs/{orgid}/checkouts/{checkoutid}/stop',
  recordPledge: 'PUT /orgs/{orgid}/pledges/{pledgeid}',
  receivePledge: 'PUT /orgs/{orgid}/pledges/{pledgeid}/received',
  reversePledge: 'POST /orgs/{orgid}/pledges/{pledgeid}/reverse',
  withdrawPledge: 'PUT /orgs/{orgid}/pledges/{pledgeid}/withdrawn',
  readDonors: 'GET /orgs/{orgid}/donors',
  sumDonors: 'GET /orgs/{orgid}/donors/sums',
  countHomes: 'POST /orgs/{orgid}/donors/homes',
  downloadDonors: 'GET /orgs/{orgid}/donors/csv',
  readDonor: 'GET /orgs/{orgid}/donors/{donorid}',
  correctDonor: 'PUT /orgs/{orgid}/donors/{donorid}/contact',
  claimGifts: 'PUT /orgs/{orgid}/donors/{donorid}/claim',
  mergeDonor: 'POST /orgs/{orgid}/donors/{donorid}/joined',
  separateDonor: 'POST /orgs/{orgid}/donors/{donorid}/parted',
  readDonorGifts: 'GET /orgs/{orgid}/donors/{donorid}/gifts',
  downloadDonorStatement: 'GET /orgs/{orgid}/donors/{donorid}/statements/{year}',
  downloadDonorStatements: 'GET /orgs/{orgid}/donors/statements',
  readRecurringGifts: 'GET /orgs/{orgid}/recurring-gifts',
  sumRecurringGifts: 'GET /orgs/{orgid}/recurring-gifts/sums',
  downloadLedger: 'GET /orgs/{orgid}/ledger',
  sendReceipt: 'POST /orgs/{orgid}/ledger/{entryid}/receipt-mails',
  downloadReceipt: 'GET /orgs/{orgid}/ledger/{entryid}/receipt',
  openReceipt: 'GET /orgs/{orgid}/receipts/file',
  openGiftHomes: 'GET /orgs/{orgid}/receipts/homes',
  sendReceiptTo: 'PUT /orgs/{orgid}/ledger/{entryid}/receipt-address',
  markReceiptsMailed: 'PUT /orgs/{orgid}/receipts/by-post',
  readUndelivered: 'GET /orgs/{orgid}/receipts/undelivered',
  downloadUndelivered: 'GET /orgs/{orgid}/receipts/undelivered/pdf',
  readAttention: 'GET /orgs/{orgid}/attention',
  resolveAttention: 'POST /orgs/{orgid}/attention/{itemid}/resolve',
  readUnassignedAttention: 'GET /attention',
  resolveUnassignedAttention: 'POST /attention/{itemid}/resolve',
  readBankMonth: 'GET /orgs/{orgid}/bank',
  readBookMonths: 'GET /orgs/{orgid}/months',
  markBankLine: 'PUT /orgs/{orgid}/bank/{kind}/{lineid}',
  saveDeposit: 'PUT /orgs/{orgid}/deposits/{depositid}',
  removeDeposit: 'DELETE /orgs/{orgid}/deposits/{depositid}',
  closeMonth: 'POST /orgs/{orgid}/months/{month}/close',
  reopenMonth: 'POST /orgs/{orgid}/months/{month}/reopen',
  readPayoutMovements: 'GET /orgs/{orgid}/payouts/{payoutid}',
  readStatement: 'GET /orgs/{orgid}/statements',
  downloadStatementPdf: 'GET /orgs/{orgid}/statements/pdf',
  downloadStatementTable: 'GET /orgs/{orgid}/statements/csv',
  downloadQuickBooks: 'GET /orgs/{orgid}/statements/quickbooks',
  readActivity: 'GET /orgs/{orgid}/activity',
  readAllActivity: 'GET /activity',
  readOperationStatus: 'GET /operation',
  checkSettings: 'POST /operation/checks',
  readOverview: 'GET /orgs/{orgid}/overview',
  searchCities: 'GET /autocomplete',
  authorize: 'GET /authorize',
  readUser: 'GET /users/{userid}',
  refreshClaims: 'POST /users/claims',
  searchUsers: 'GET /users',
  setAdmin: 'PUT /users/{userid}/admin',
  removeSecondFactors: 'DELETE /users/{userid}/second-factors',
  readGiving: 'GET /users/{userid}/giving',
  downloadStatement: 'GET /users/{userid}/statements/{year}',
  readOwnActivity: 'GET /users/{userid}/activity',
  downloadUser: 'GET /users/{userid}/data',
  deleteUser: 'DELETE /users/{userid}',
  readEditors: 'GET /orgs/{orgid}/editors',
  addEditor: 'PUT /orgs/{orgid}/editors',
  changeEditor: 'PATCH /orgs/{orgid}/editors/{userid}',
  removeEditor: 'DELETE /orgs/{orgid}/editors/{userid}',
  restoreEditor: 'PUT /orgs/{orgid}/editors/{userid}/restored',
  withdrawInvitation: 'DELETE /orgs/{orgid}/invitations/{invitationid}',
  readEmailChoices: 'GET /orgs/{orgid}/email-choices',
  saveEmailChoices: 'PUT /orgs/{orgid}/email-choices',
  readMyOffsetter: 'GET /orgs/{orgid}/my-offsetter',
  readOffsetterToEdit: 'GET /orgs/{orgid}/offsetters/{offsetterid}/edit',
  claimOffsetter: 'PUT /orgs/{orgid}/offsetters/{offsetterid}/claim',
  editOffsetter: 'PUT /orgs/{orgid}/offsetters/{offsetterid}',
  deleteOffsetter: 'DELETE /orgs/{orgid}/offsetters/{offsetterid}',
  readReview: 'GET /orgs/{orgid}/editor/review',
  readOffsettersToReview: 'GET /orgs/{orgid}/editor/offsetters',
  setOffsetterStatus: 'PUT /orgs/{orgid}/offsetters/{offsetterid}/status',
  readAwardeesToEdit: 'GET /orgs/{orgid}/editor/awardees',
  readAwardeeToEdit: 'GET /orgs/{orgid}/awardees/{awardeeid}/edit',
  createAwardee: 'POST /orgs/{orgid}/awardees',
  editAwardee: 'PUT /orgs/{orgid}/awardees/{awardeeid}',
  setAwardeeStatus: 'PUT /orgs/{orgid}/awardees/{awardeeid}/status',
  deleteAwardee: 'DELETE /orgs/{orgid}/awardees/{awardeeid}',
  readInstallersToEdit: 'GET /orgs/{orgid}/editor/installers',
  readInstallerToEdit: 'GET /orgs/{orgid}/installers/{installerid}/edit',
  createInstaller: 'POST /orgs/{orgid}/installers',
  editInstaller: 'PUT /orgs/{orgid}/installers/{installerid}',
  setInstallerStatus: 'PUT /orgs/{orgid}/installers/{installerid}/status',
  deleteInstaller: 'DELETE /orgs/{orgid}/installers/{installerid}',
  readToken: 'POST /session/token',
  signInWithPassword: 'POST /session/password',
  sendSignInLink: 'POST /session/link-requests',
  signInWithLink: 'POST /session/link',
  readInvitation: 'POST /session/invitation/details',
  acceptInvitation: 'POST /session/invitation',
  signInWithGoogle: 'POST /session/google',
  signUp: 'POST /session/sign-up',
  sendVerification: 'POST /session/verification-requests',
  verifyAddress: 'POST /session/verification',
  changeName: 'PUT /session/name',
  requestEmailChange: 'POST /session/email-changes',
  sendPasswordReset: 'POST /session/reset-requests',
  resetPassword: 'POST /session/reset',
  changePassword: 'PUT /session/password',
  sendConfirmationCode: 'POST /session/confirmation-codes',
  startConfirmation: 'POST /session/confirmations/start',
  startGoogleConfirmation: 'POST /session/confirmations/google',
  confirmIdentity: 'POST /session/confirmations',
  startSecondStep: 'POST /session/second-step/start',
  finishSecondStep: 'POST /session/second-step',
  startPasskeyLogin: 'POST /session/passkey/start',
  signInWithPasskey: 'POST /session/passkey',
  readSecondFactors: 'GET /second-factors',
  offerAuthenticator: 'POST /second-factors/authenticator/offer',
  addAuthenticator: 'POST /second-factors/authenticator',
  removeAuthenticator: 'DELETE /second-factors/authenticator',
  offerPasskey: 'POST /second-factors/passkeys/offer',
  addPasskey: 'POST /second-factors/passkeys',
  removePasskey: 'DELETE /second-factors/passkeys/{passkeyid}',
  renewRecoveryCodes: 'POST /second-factors/recovery-codes',
  signOut: 'POST /session/sign-out',
  signOutElsewhere: 'POST /session/sign-out-elsewhere',
  readSessions: 'GET /sessions',
  nameSession: 'PUT /sessions/{sessionid}/name',
  endSession: 'DELETE /sessions/{sessionid}',
  signOutEverywhere: 'POST /session/sign-out-everywhere',
  runTest: 'POST /test',
};

const calls = Object.entries(CALLS);
const schemas: Readonly<Record<string, CallSchema>> = SCHEMAS;

// @asvs 3.5.3
test('every call has the method and path in the specification', () => {
  const paths = calls.map(([name, { method, path }]) => [name, `${method} ${path.replace(/:(\w+)/g, '{$1}')}`]);
  expect(Object.fromEntries(paths)).toEqual(SPECIFIED);
});

// @asvs 2.2.1
test('every call has a schema, and every schema has a call', () => {
  expect(Object.keys(SCHEMAS).toSorted()).toEqual(Object.keys(CALLS).toSorted());
});

test('no two calls share a method and a path', () => {
  const endpoints = calls.map(([, { method, path }]) => `${method} ${path}`);
  expect(new Set(endpoints).size).toBe(endpoints.length);
});

test.each(calls)('the parameters of %s match its path', (name, { path }) => {
  const paramNames = [...path.matchAll(/:(\w+)/g)].map(([, param]) => param);
  const params = schemas[name]?.params;
  expect(Object.keys(params?.shape ?? {})).toEqual(paramNames);
  const examples: Readonly<Record<string, string>> = { month: '2026-03', kind: 'payout' };
  const exampleParams = Object.fromEntries(paramNames.map((param = '') => [param, examples[param] ?? 'a1']));
  expect(params?.safeParse(exampleParams).success ?? true).toBe(true);
  expect(params?.safeParse({ ...exampleParams, more: 'a1' }).success ?? false).toBe(false);
});

test.each(calls)('only calls that change data have a body: %s', (name, { method }) => {
  const { query, body, form } = schemas[name] ?? {};
  if (method === 'GET') expect([body, form]).toEqual([undefined, undefined]);
  else expect(query).toBeUndefined();
  expect(body && form).toBeUndefined();
});

test('a call’s path starts with the base and has encoded parameters', () => {
  expect(callPath('readSite', {})).toBe(`${API_BASE}/site`);
  expect(callPath('completeCheckout', { orgid: 'sample', checkoutid: 'c-1' })).toBe(
    '/api/orgs/sample/checkouts/c-1/complete',
  );
  expect(callPath('readOrg', { orgid: '../x?y#z' })).toBe('/api/orgs/..%2Fx%3Fy%23z');
});
