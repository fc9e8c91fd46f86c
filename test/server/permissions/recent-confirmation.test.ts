// @spec 7.sign-in
import { expect, test } from 'vitest';
import { CALLS, type CallName } from '#contract/calls.ts';
import { MINUTE } from '#test/support/clock.ts';
import { pickRunCount } from '#test/support/run-count.ts';
import { CALL_ROWS } from './call-rows.ts';
import { CALLERS, type Caller } from './callers.ts';
import { tryCall } from './try-call.ts';
import { createWorld } from './world.ts';

const world = await createWorld();

/**
 * Calls about roles, refunds, exports, email, sessions, other people's receipts, and account deletion (decisions §4).
 */
const CALLS_WITH_CONFIRMATION: readonly CallName[] = [
  'addEditor',
  'changeEditor',
  'removeEditor',
  'restoreEditor',
  'createOrg',
  'setAdmin',
  'removeSecondFactors',
  'refundPayment',
  'downloadCheckouts',
  'downloadLedger',
  'downloadUndelivered',
  'downloadDonors',
  'downloadDonorStatement',
  'downloadDonorStatements',
  'correctDonor',
  'downloadStatementPdf',
  'downloadStatementTable',
  'downloadQuickBooks',
  'downloadUser',
  'deleteUser',
  'sendReceiptTo',
  'requestEmailChange',
  'endSession',
  'signOutElsewhere',
];

/**
 * Calls that need a confirmation only in some cases: second factor settings, large checks, and a first password or
 * second factor, which need an email confirmation. Other files test them.
 */
const CALLS_WITH_CONDITIONAL_PROOF: readonly CallName[] = [
  'editOrg',
  'changePassword',
  'offerAuthenticator',
  'addAuthenticator',
  'removeAuthenticator',
  'offerPasskey',
  'addPasskey',
  'removePasskey',
  'renewRecoveryCodes',
];

const callNames = (Object.keys(CALLS) as CallName[]).filter((name) => !CALLS_WITH_CONDITIONAL_PROOF.includes(name));
const isSignedIn = (caller: Caller) => !['visitor', 'cookie alone', 'pending login'].includes(caller);

/** Makes every session's last confirmation too old; tokens stay fresh. */
const expireConfirmations = async () => {
  const oldConfirmation = new Date(world.deps.now().getTime() - 61 * MINUTE);
  await world.db.kysely.updateTable('sessions').set({ authenticated_at: oldConfirmation }).execute();
};

// @asvs 7.5.1 7.5.2
test.each(callNames)('%s requires a recent confirmation only if it is listed', async (name) => {
  const outcomes = CALL_ROWS[name].outcomes('own organization');
  const callers = CALLERS.filter((caller) => isSignedIn(caller) && outcomes[caller] === 'done');
  // The route checks every caller the same way, so the quick run tries one.
  for (const caller of callers.slice(0, pickRunCount(1, CALLERS.length))) {
    const outcome = await tryCall(world, { name, place: 'own organization', caller }, expireConfirmations);
    expect([caller, outcome]).toEqual([
      caller,
      CALLS_WITH_CONFIRMATION.includes(name) ? 'confirmation-required' : 'done',
    ]);
  }
});
