import { randomUUID } from 'node:crypto';
import type { CallName, CallParams } from '#contract/calls.ts';
import type { BodyInput, QueryInput } from '#contract/schemas.ts';
import { donationItem } from '#domain/cart.ts';
import { dayOf } from '#domain/days.ts';
import { invitationExpiry } from '#domain/editor-terms.ts';
import { FACTORS_VERSION } from '#domain/emissions.ts';
import type { Action } from '#domain/permissions.ts';
import { DEFAULT_EMAIL_CHOICES } from '#domain/team-emails.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { findUserRow } from '#server/entities/find-user.ts';
import { createBrowserCookie, hashBrowserId } from '#server/features/checkouts/browser-cookie.ts';
import { createInvitationLink } from '#server/features/sessions/accept-invitation.ts';
import { createEditorialForm } from '#test/support/builders/editorial-form.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addGrant, createGrantBody } from '#test/support/builders/grant.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { createOffsetterForm } from '#test/support/builders/offsetter-form.ts';
import { addPayout } from '#test/support/builders/payout.ts';
import { createPhotoForm } from '#test/support/builders/photo-form.ts';
import { createProfileForm } from '#test/support/builders/profile-form.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { defaultText } from '#test/support/default-text.ts';
import { addAuthenticatorTo, addPasskeyTo, generateAppCode } from '#test/support/second-factors.ts';
import { createSoftwarePasskey } from '#test/support/software-passkey.ts';
import type { Place } from './callers.ts';
import {
  type Audience,
  addSecondFactorOutcomes,
  admins,
  anybody,
  anybodySignedIn,
  anybodyVerified,
  type Outcomes,
  onlyAdmins,
  ownerAndAdmins,
  ownerOfAddress,
  roles,
  rolesAndAdmins,
  settingsEditors,
  user,
  userAndAdmins,
  verifiedUser,
} from './outcomes.ts';
import { NEW_PASSWORD, OLD_PASSWORD, type Targets } from './targets.ts';

/** A request that only a permission check can reject. */
export type CallRequest<Name extends CallName> = {
  readonly params: CallParams<Name>;
  readonly query?: QueryInput<Name>;
  readonly body?: BodyInput<Name>;
  readonly form?: FormData;
  /** A Cookie header for calls that use a cookie. */
  readonly cookie?: string;
};

type Row<Name extends CallName> = {
  /** The action that the route checks in the permission table. */
  readonly action: Action;
  /** The outcome for each caller. */
  readonly outcomes: (place: Place) => Outcomes;
  readonly request: (targets: Targets) => Promise<CallRequest<Name>>;
};

/** Creates an invitation. @returns the code in its email */
async function createInvitationCode({ orgid, world: { db, deps } }: Targets): Promise<string> {
  const email = `invited-${randomUUID()}@example.org`;
  const invitationId = await addInvitation(db, orgid, { email, created_at: deps.now() });
  const expiresAt = invitationExpiry(deps.now());
  const link = await createInvitationLink(deps, { invitationId, email, returnTo: '/', expiresAt });
  return new URL(link).searchParams.get('code') ?? '';
}

function row<Name extends CallName>(action: Action, audience: Audience, request: Row<Name>['request']): Row<Name> {
  return { action, outcomes: (place) => addSecondFactorOutcomes(audience(place, action)), request };
}

/** Every organization has a different slug. */
const newOrgBody = () => ({ name: 'A new fund', tag: 'Warm homes', slug: randomUUID() });

const orgParams = async ({ orgid: orgId }: Targets) => ({ params: { orgid: orgId } });
const periodRequest = async ({ orgid, world }: Targets) => ({
  params: { orgid },
  query: { period: dayOf(world.deps.now(), 'America/New_York').slice(0, 7) },
});
const payoutParams = async ({ orgid: orgId, world }: Targets) => ({
  params: { orgid: orgId, payoutid: await addPayout(world.db, orgId) },
});
const readFactorsVersion = async ({ orgid: orgId, world }: Targets) =>
  (await findOrg(world.db, orgId))?.factors?.version ?? FACTORS_VERSION;
const noInput = async () => ({ params: {} });
const ownParams = async ({ ownerId }: Targets) => ({ params: { userid: ownerId } });
const offsetterParams = async ({ orgid: orgId, offsetter }: Targets) => ({
  params: { orgid: orgId, offsetterid: await offsetter() },
});
const awardeeParams = async ({ orgid: orgId, awardee }: Targets) => ({
  params: { orgid: orgId, awardeeid: await awardee() },
});
const installerParams = async ({ orgid, installer }: Targets) => ({
  params: { orgid, installerid: await installer() },
});
const checkoutParams = async ({ orgid: orgId, paidCheckout }: Targets) => ({
  params: { orgid: orgId, checkoutid: await paidCheckout() },
});

/** A new donor with a gift. */
const donorParams = async ({ orgid: orgId, world }: Targets) => {
  const { checkoutId } = await addGift(world.db, orgId, { email: `${randomUUID()}@example.org` });
  const { donor_id } = await world.db.kysely
    .selectFrom('checkouts')
    .select('donor_id')
    .where('id', '=', checkoutId)
    .executeTakeFirstOrThrow();
  return { params: { orgid: orgId, donorid: donor_id ?? '' } };
};

const giftParams = async ({ orgid: orgId, recurringGift }: Targets) => ({
  params: { orgid: orgId, giftkey: (await recurringGift()).giftkey },
});

const grantParams = async ({ orgid, world }: Targets, stage: 'applied' | 'promised' = 'applied') => ({
  params: { orgid, grantid: await addGrant(world.db, orgid, { stage }) },
});

const pledgeParams = async ({ orgid, pledge }: Targets) => ({ params: { orgid, pledgeid: await pledge() } });

/** A request with the key of a stored receipt. */
async function receiptKeyRequest({ orgid, receipt, world }: Targets) {
  const { key } = await world.db.kysely
    .selectFrom('receipts')
    .select('key')
    .where('ledger_entry_id', '=', await receipt())
    .executeTakeFirstOrThrow();
  return { params: { orgid }, query: { key } };
}

function callerOrOwner({ credentials, ownerId }: Targets): { id: string; email: string } {
  return credentials.person
    ? { id: credentials.person.userId, email: credentials.person.email }
    : { id: ownerId, email: `${ownerId}@example.org` };
}

/**
 * The allowed callers of each call (§6, decisions §4), and a request that only a permission check can reject. The
 * suite fails if a call has no row.
 */
export const CALL_ROWS: { readonly [Name in CallName]: Row<Name> } = {
  // Public reads
  readSite: row('site.read', anybody, noInput),
  readCardFee: row('site.read', anybody, noInput),
  readOrgs: row('org.read', anybody, noInput),
  readOrg: row('org.read', anybody, orgParams),
  waitForChange: row('org.read', anybody, orgParams),
  readFactors: row('org.read', anybody, orgParams),
  readFirstSteps: row('area.visit', roles, orgParams),
  dismissFirstSteps: row('org.edit', roles, async ({ orgid: orgId }) => ({
    params: { orgid: orgId },
    body: { steps: ['photo'], dismissed: true },
  })),
  readCells: row('cells.read', anybody, orgParams),
  readCell: row('cells.read', anybody, async ({ orgid }) => ({ params: { orgid, page: 'home', name: 'intro' } })),
  saveCell: row('cells.edit', roles, async ({ orgid }) => ({
    params: { orgid, page: 'home', name: 'intro' },
    body: { markdown: 'Another **text**', basedOn: defaultText('home', 'intro') },
  })),
  resetCell: row('cells.edit', roles, async ({ orgid }) => ({ params: { orgid, page: 'home', name: 'intro' } })),
  readCellVersions: row('cells.edit', roles, async ({ orgid }) => ({
    params: { orgid, page: 'home', name: 'intro' },
  })),
  previewCell: row('cells.edit', roles, async ({ orgid }) => ({
    params: { orgid, page: 'home', name: 'intro' },
    body: { markdown: 'Another **text**' },
  })),
  addPicture: row('cells.edit', roles, async ({ orgid: orgId, world }) => ({
    params: { orgid: orgId },
    form: createPhotoForm(world.photo),
  })),
  readOffsetters: row('stories.read', anybody, orgParams),
  readOffsetter: row('stories.read', anybody, offsetterParams),
  readOffsetterNeighbors: row('stories.read', anybody, offsetterParams),
  readAwardees: row('stories.read', anybody, orgParams),
  readAwardee: row('stories.read', anybody, awardeeParams),
  readAwardeeNeighbors: row('stories.read', anybody, awardeeParams),
  readInstallers: row('stories.read', anybody, orgParams),
  readInstaller: row('stories.read', anybody, installerParams),
  readInstallerNeighbors: row('stories.read', anybody, installerParams),
  searchCities: row('cities.search', anybody, async () => ({ params: {}, query: { search: 'Ithaca' } })),

  // Making a gift needs no account, because knowing a checkout's id is enough
  createCheckout: row('checkout.create', anybody, async ({ orgid }) => ({
    params: { orgid },
    body: { cart: [donationItem(25)] },
  })),
  readCheckout: row('checkout.read', anybody, checkoutParams),
  openCheckoutReceipt: row('receipt.open', anybody, async ({ orgid: orgId, world }) => {
    const { checkoutId } = await addGift(world.db, orgId, { creator_hash: hashBrowserId('opener') });
    const [cookie = ''] = createBrowserCookie(world.deps).set('opener', 60).split(';');
    return { params: { orgid: orgId, checkoutid: checkoutId }, cookie };
  }),
  submitProfile: row('checkout.submit-profile', anybody, async (targets) => {
    const { params } = await checkoutParams(targets);
    return { params, form: createProfileForm({ checkoutId: params.checkoutid, photo: targets.world.photo }) };
  }),
  completeCheckout: row('checkout.complete', anybody, checkoutParams),
  readRecurringGift: row('recurring-gift.manage', anybody, giftParams),
  stopRecurringGift: row('recurring-gift.manage', anybody, giftParams),
  changeRecurringGiftCard: row('recurring-gift.manage', anybody, giftParams),
  changeRecurringGift: row('recurring-gift.manage', anybody, async (targets) => ({
    ...(await giftParams(targets)),
    body: { unit: 'year', count: 1 },
  })),
  pauseRecurringGift: row('recurring-gift.manage', anybody, async (targets) => ({
    ...(await giftParams(targets)),
    body: { paused: true },
  })),
  pledgeCheck: row('pledge.create', anybody, async ({ orgid: orgId }) => ({
    params: { orgid: orgId },
    body: { name: 'Paula Payer', email: 'payer@example.org', amount: 25 },
  })),

  // Gifts, checks, and receipts
  searchCheckouts: row('checkouts.read', roles, async ({ orgid }) => ({ params: { orgid }, body: {} })),
  sumCheckouts: row('checkouts.read', roles, async ({ orgid }) => ({ params: { orgid }, body: {} })),
  downloadCheckouts: row('ledger.download', roles, orgParams),
  readCheckoutRecord: row('checkouts.read', roles, checkoutParams),
  deleteCheckout: row('checkouts.delete', roles, checkoutParams),
  refundPayment: row('payments.refund', roles, async ({ orgid, gift }) => {
    const { checkoutId, ledgerEntryId: entryId } = await gift();
    return {
      params: { orgid, checkoutid: checkoutId },
      body: { requestid: randomUUID(), entryid: entryId, reason: 'Duplicate gift' },
    };
  }),
  readAttention: row('checkouts.read', roles, orgParams),
  resolveAttention: row('attention.resolve', roles, async ({ orgid: orgId, attention }) => ({
    params: { orgid: orgId, itemid: await attention(orgId) },
    body: { note: 'Refunded at the provider' },
  })),
  readUnassignedAttention: row('attention.manage-unassigned', admins, noInput),
  resolveUnassignedAttention: row('attention.manage-unassigned', admins, async ({ attention }) => ({
    params: { itemid: await attention(null) },
    body: { note: 'Refunded at the provider' },
  })),
  stopRecurringGiftOfCheckout: row('recurring-gifts.stop', roles, async ({ orgid: orgId, recurringGift }) => ({
    params: { orgid: orgId, checkoutid: (await recurringGift()).checkoutid },
  })),
  readCheckRecord: row('checks.read', roles, pledgeParams),
  addTeamNote: row('team-notes.edit', roles, async ({ orgid, pledge }) => ({
    params: { orgid, noteid: randomUUID() },
    body: { subjectid: await pledge(), text: 'Called on Monday' },
  })),
  removeTeamNote: row('team-notes.edit', roles, async ({ orgid, pledge, world }) => {
    const note = { id: randomUUID(), org_id: orgid, pledge_id: await pledge(), text: 'Called on Monday' };
    await world.db.kysely.insertInto('team_notes').values(note).execute();
    return { params: { orgid, noteid: note.id } };
  }),
  recordPledge: row('checks.manage', roles, async (targets) => ({
    ...(await pledgeParams(targets)),
    // Other content would be rejected, because the pledge exists.
    body: { name: 'Dora Donor', email: 'dora@example.org', amount: 100 },
  })),
  receivePledge: row('checks.manage', roles, async (targets) => ({
    ...(await pledgeParams(targets)),
    body: { amount: 25, receivedOn: dayOf(targets.world.deps.now(), 'America/New_York') },
  })),
  reversePledge: row('checks.manage', roles, async ({ orgid, check }) => {
    const { pledgeid: pledgeId, entryid: entryId } = await check();
    return {
      params: { orgid, pledgeid: pledgeId },
      body: { entryid: entryId, cause: 'bounced', reason: 'Account closed' },
    };
  }),
  withdrawPledge: row('checks.manage', roles, async (targets) => ({
    ...(await pledgeParams(targets)),
    body: { withdrawn: true },
  })),
  readGrants: row('grants.read', roles, orgParams),
  sumGrants: row('grants.read', roles, orgParams),
  readGrant: row('grants.read', roles, grantParams),
  saveGrant: row('grants.edit', roles, async ({ orgid: orgId, awardee }) => ({
    params: { orgid: orgId, grantid: randomUUID() },
    body: createGrantBody(await awardee()),
  })),
  deleteGrant: row('grants.edit', roles, grantParams),
  recordGrantWork: row('grants.edit', roles, async (targets) => ({
    ...(await grantParams(targets, 'promised')),
    body: { doneOn: '2026-03-01', inspectedOn: null },
  })),
  promiseGrant: row('grants.pay', roles, async (targets) => ({
    ...(await grantParams(targets)),
    body: { on: '2026-03-01' },
  })),
  payGrant: row('grants.pay', roles, async (targets) => ({
    ...(await grantParams(targets)),
    body: { on: '2026-03-01', amount: 1500 },
  })),
  reverseGrant: row('grants.pay', roles, async (targets) => {
    const { params } = await grantParams(targets, 'promised');
    const { promised_entry_id: entryid } = await targets.world.db.kysely
      .selectFrom('grants')
      .select('promised_entry_id')
      .where('id', '=', params.grantid)
      .executeTakeFirstOrThrow();
    return { params, body: { entryid: entryid ?? '', reason: 'The household moved' } };
  }),
  readAvailableFunds: row('books.read', roles, orgParams),
  readPounds: row('org.read', anybody, orgParams),
  downloadPounds: row('org.read', anybody, orgParams),
  downloadLedger: row('ledger.download', roles, orgParams),
  readDonors: row('donors.read', roles, orgParams),
  sumDonors: row('donors.read', roles, orgParams),
  countHomes: row('donors.read', roles, async (targets) => {
    const { params } = await donorParams(targets);
    return { params: { orgid: params.orgid }, body: { ids: [params.donorid] } };
  }),
  readDonor: row('donors.read', roles, donorParams),
  readDonorGifts: row('donors.read', roles, donorParams),
  downloadDonors: row('donors.download', roles, orgParams),
  downloadDonorStatement: row('donors.download', roles, async (targets) => {
    const { params } = await donorParams(targets);
    return { params: { ...params, year: '2026' } };
  }),
  downloadDonorStatements: row('donors.download', roles, async (targets) => {
    const { params } = await donorParams(targets);
    return { params: { orgid: params.orgid }, query: { year: '2026' } };
  }),
  correctDonor: row('donors.manage', roles, async (targets) => ({
    ...(await donorParams(targets)),
    body: { email: 'elsewhere@example.org', postalAddress: '', reason: 'Mistyped' },
  })),
  claimGifts: row('gifts.claim', ownerOfAddress, async (targets) => {
    const { params } = await donorParams(targets);
    const corrected_email = (await findUserRow(targets.world.db.kysely, targets.ownerId))?.email ?? '';
    await targets.world.db.kysely
      .updateTable('donors')
      .set({ corrected_email })
      .where('id', '=', params.donorid)
      .execute();
    return { params, body: { mine: true } };
  }),
  mergeDonor: row('donors.manage', roles, async (targets) => {
    const otherDonor = await donorParams(targets);
    return { ...(await donorParams(targets)), body: { otherid: otherDonor.params.donorid, reason: 'The same person' } };
  }),
  separateDonor: row('donors.manage', roles, async (targets) => ({
    ...(await donorParams(targets)),
    body: { reason: 'Two people' },
  })),
  readRecurringGifts: row('donors.read', roles, orgParams),
  sumRecurringGifts: row('donors.read', roles, orgParams),
  sendReceipt: row('receipts.send', roles, async ({ orgid: orgId, receipt }) => ({
    params: { orgid: orgId, entryid: await receipt() },
  })),
  downloadReceipt: row('receipts.read', roles, async ({ orgid: orgId, receipt }) => ({
    params: { orgid: orgId, entryid: await receipt() },
  })),
  openReceipt: row('receipt.open', anybody, receiptKeyRequest),
  openGiftHomes: row('receipt.open', anybody, receiptKeyRequest),
  sendReceiptTo: row('receipts.send', roles, async ({ orgid: orgId, receipt }) => ({
    params: { orgid: orgId, entryid: await receipt() },
    body: { email: 'elsewhere@example.org' },
  })),
  sendCardTo: row('receipts.send', roles, async ({ orgid, card }) => ({
    params: { orgid, checkoutid: await card() },
    body: { email: 'elsewhere@example.org' },
  })),
  markReceiptsMailed: row('receipts.send', roles, async ({ orgid: orgId, receipt }) => ({
    params: { orgid: orgId },
    body: { entryids: [await receipt()] },
  })),
  readUndelivered: row('receipts.read', roles, orgParams),
  downloadUndelivered: row('receipts.read', roles, async ({ orgid: orgId, receipt, world }) => {
    const update = world.db.kysely.updateTable('receipts').set({ delivery: 'failed' });
    await update.where('ledger_entry_id', '=', await receipt()).execute();
    return { params: { orgid: orgId } };
  }),
  readBankMonth: row('books.read', roles, orgParams),
  readBookMonths: row('books.read', roles, orgParams),
  markBankLine: row('books.reconcile', roles, async (targets) => {
    const { params } = await payoutParams(targets);
    return { params: { orgid: params.orgid, kind: 'payout', lineid: params.payoutid }, body: { seen: true } };
  }),
  saveDeposit: row('books.reconcile', roles, async ({ orgid, check, world }) => ({
    params: { orgid, depositid: randomUUID() },
    body: { on: dayOf(world.deps.now(), 'America/New_York'), entryids: [(await check()).entryid] },
  })),
  removeDeposit: row('books.reconcile', roles, async ({ orgid, world }) => {
    const id = randomUUID();
    await world.db.kysely.insertInto('deposits').values({ id, org_id: orgid, deposited_on: '2026-03-14' }).execute();
    return { params: { orgid, depositid: id } };
  }),
  closeMonth: row('books.reconcile', roles, async ({ orgid, world }) => {
    const closing = { org_id: orgid, month: '2026-01', action: 'closed' } as const;
    await world.db.kysely.insertInto('month_changes').values(closing).execute();
    return { params: { orgid, month: '2026-01' } };
  }),
  reopenMonth: row('books.reconcile', roles, async ({ orgid }) => ({
    params: { orgid, month: '2026-02' },
    body: { reason: 'A check was missing' },
  })),
  readPayoutMovements: row('books.read', roles, payoutParams),
  readStatement: row('books.read', roles, orgParams),
  downloadStatementPdf: row('books.read', roles, periodRequest),
  downloadStatementTable: row('books.read', roles, periodRequest),
  downloadQuickBooks: row('books.read', roles, periodRequest),
  readActivity: row('activity.read', roles, orgParams),
  readAllActivity: row('activity.read-all', admins, noInput),
  readOperationStatus: row('admin.visit', admins, noInput),
  checkSettings: row('admin.visit', admins, noInput),
  readOverview: row('overview.read', roles, orgParams),

  // People
  authorize: row('session.read', anybodySignedIn, noInput),
  refreshClaims: row('session.read', anybodySignedIn, noInput),
  readUser: row('user.read', userAndAdmins, ownParams),
  searchUsers: row('users.manage', admins, noInput),
  setAdmin: row('users.manage', admins, async ({ addPerson }) => ({
    params: { userid: (await addPerson()).id },
    body: { admin: true },
  })),
  removeSecondFactors: row('users.manage', admins, async ({ world: { deps }, addPerson }) => {
    const { id, email } = await addPerson();
    await addAuthenticatorTo(deps, { userId: id, email });
    return { params: { userid: id } };
  }),
  readGiving: row('user.read-giving', verifiedUser, ownParams),
  downloadStatement: row('user.read-giving', verifiedUser, async ({ orgid: orgId, ownerId, world }) => {
    await addGift(world.db, orgId, { user_id: ownerId });
    return { params: { userid: ownerId, year: '2026' } };
  }),
  readOwnActivity: row('user.download', user, ownParams),
  downloadUser: row('user.download', user, ownParams),
  deleteUser: row('user.delete', user, ownParams),

  // Organizations
  createOrg: row('org.create', admins, async ({ addPerson }) => ({
    params: {},
    body: { ...newOrgBody(), email: (await addPerson()).email },
  })),
  readOrgSettings: row('org.edit', roles, orgParams),
  editOrg: row('org.change', settingsEditors, async (targets) => ({
    ...(await orgParams(targets)),
    body: { name: 'Another Fund' },
  })),
  chooseFactors: row('org.edit', roles, async (targets) => ({
    ...(await orgParams(targets)),
    body: { choice: {}, reason: 'As before', baseVersion: await readFactorsVersion(targets) },
  })),
  replaceHeader: row('org.edit', roles, async (targets) => ({
    ...(await orgParams(targets)),
    form: createPhotoForm(targets.world.photo),
  })),
  removeHeader: row('org.edit', roles, orgParams),
  runTest: row('admin.visit', admins, noInput),

  // Editors
  readEditors: row('editors.read', rolesAndAdmins, orgParams),
  addEditor: row('editors.manage', rolesAndAdmins, async ({ orgid, addPerson }) => ({
    params: { orgid },
    body: { email: (await addPerson()).email },
  })),
  changeEditor: row('editors.manage', rolesAndAdmins, async ({ orgid, editor }) => ({
    params: { orgid, userid: await editor() },
    body: { role: 'reader' },
  })),
  removeEditor: row('editors.remove', rolesAndAdmins, async ({ orgid, editor }) => ({
    params: { orgid, userid: await editor() },
  })),
  restoreEditor: row('editors.manage', rolesAndAdmins, async ({ orgid, removedEditor }) => ({
    params: { orgid, userid: await removedEditor() },
  })),
  readEmailChoices: row('area.visit', roles, orgParams),
  saveEmailChoices: row('area.visit', roles, async (targets) => ({
    ...(await orgParams(targets)),
    body: DEFAULT_EMAIL_CHOICES,
  })),
  withdrawInvitation: row('editors.manage', rolesAndAdmins, async ({ orgid, invitation }) => ({
    params: { orgid, invitationid: await invitation() },
  })),

  // Offsetters
  readMyOffsetter: row('my-offsetter.read', anybodySignedIn, orgParams),
  readOffsetterToEdit: row('offsetter.edit', ownerAndAdmins, offsetterParams),
  claimOffsetter: row('offsetter.claim', ownerOfAddress, async ({ orgid, ownerId, world }) => {
    const email = (await findUserRow(world.db.kysely, ownerId))?.email ?? '';
    return {
      params: { orgid, offsetterid: await addOffsetter(world.db, orgid, { email, claim: 'pending' }) },
      body: { mine: true },
    };
  }),
  editOffsetter: row('offsetter.edit', ownerAndAdmins, async (targets) => ({
    ...(await offsetterParams(targets)),
    form: createOffsetterForm({}, targets.world.photo),
  })),
  deleteOffsetter: row('offsetter.delete', onlyAdmins, offsetterParams),

  // Stories
  readReview: row('stories.edit', roles, orgParams),
  readOffsettersToReview: row('stories.edit', roles, orgParams),
  setOffsetterStatus: row('stories.edit', roles, async (targets) => ({
    ...(await offsetterParams(targets)),
    body: { status: 'hidden' },
  })),
  readAwardeesToEdit: row('stories.edit', roles, orgParams),
  readAwardeeToEdit: row('stories.edit', roles, awardeeParams),
  createAwardee: row('stories.edit', roles, async ({ orgid }) => ({ params: { orgid }, form: createEditorialForm() })),
  editAwardee: row('stories.edit', roles, async (targets) => ({
    ...(await awardeeParams(targets)),
    form: createEditorialForm(),
  })),
  setAwardeeStatus: row('stories.edit', roles, async (targets) => ({
    ...(await awardeeParams(targets)),
    body: { status: 'hidden' },
  })),
  deleteAwardee: row('stories.edit', roles, awardeeParams),
  readInstallersToEdit: row('stories.edit', roles, orgParams),
  readInstallerToEdit: row('stories.edit', roles, installerParams),
  createInstaller: row('stories.edit', roles, async ({ orgid }) => ({
    params: { orgid },
    form: createEditorialForm(),
  })),
  editInstaller: row('stories.edit', roles, async (targets) => ({
    ...(await installerParams(targets)),
    form: createEditorialForm({ status: 'hidden' }),
  })),
  setInstallerStatus: row('stories.edit', roles, async (targets) => ({
    ...(await installerParams(targets)),
    body: { status: 'hidden' },
  })),
  deleteInstaller: row('stories.edit', roles, installerParams),

  // Sessions: the request itself proves who is calling
  readToken: row('session.begin', anybody, noInput),
  signInWithPassword: row('session.begin', anybody, async ({ addPerson }) => ({
    params: {},
    body: { email: (await addPerson()).email, password: OLD_PASSWORD },
  })),
  sendSignInLink: row('session.begin', anybody, async ({ addPerson }) => ({
    params: {},
    body: { email: (await addPerson()).email },
  })),
  signInWithLink: row('session.begin', anybody, async ({ addPerson, code }) => {
    const person = await addPerson();
    return { params: {}, body: { email: person.email, code: await code('sign-in', person) } };
  }),
  readInvitation: row('session.begin', anybody, async (targets) => ({
    params: {},
    body: { code: await createInvitationCode(targets) },
  })),
  acceptInvitation: row('session.begin', anybody, async (targets) => ({
    params: {},
    body: { code: await createInvitationCode(targets), name: 'Ivo' },
  })),
  signInWithGoogle: row('session.begin', anybody, async () => ({ params: {}, body: {} })),
  signUp: row('session.begin', anybody, async ({ ownerId }) => ({
    params: {},
    body: { email: `new-${ownerId}@example.org`, password: NEW_PASSWORD },
  })),
  sendVerification: row('session.change', anybodySignedIn, async () => ({ params: {}, body: {} })),
  verifyAddress: row('session.change', anybodySignedIn, async (targets) => ({
    params: {},
    body: { code: await targets.code('verify', callerOrOwner(targets)) },
  })),
  changeName: row('session.change', anybodySignedIn, async () => ({ params: {}, body: { name: 'Ada' } })),
  requestEmailChange: row('session.change', anybodySignedIn, async () => ({
    params: {},
    body: { email: `new-${randomUUID()}@example.org` },
  })),
  sendConfirmationCode: row('session.change', anybodyVerified, noInput),
  startConfirmation: row('session.change', anybodySignedIn, noInput),
  startGoogleConfirmation: row('session.change', anybodySignedIn, noInput),
  confirmIdentity: row('session.change', anybodySignedIn, async (targets) => ({
    params: {},
    body: { code: await targets.confirmationCode() },
  })),
  sendPasswordReset: row('session.begin', anybody, async ({ addPerson }) => ({
    params: {},
    body: { email: (await addPerson()).email },
  })),
  resetPassword: row('session.begin', anybody, async ({ addPerson, code }) => ({
    params: {},
    body: { code: await code('reset', await addPerson()), password: NEW_PASSWORD },
  })),
  changePassword: row('session.change', anybodySignedIn, async () => ({
    params: {},
    body: { password: NEW_PASSWORD },
  })),
  startSecondStep: row('session.begin', anybody, async (targets) => ({
    params: {},
    cookie: (await targets.pendingLogin()).cookie,
  })),
  finishSecondStep: row('session.begin', anybody, async ({ pendingLogin }) => {
    const { cookie, code } = await pendingLogin();
    return { params: {}, cookie, body: { code } };
  }),
  startPasskeyLogin: row('session.begin', anybody, noInput),
  signInWithPasskey: row('session.begin', anybody, async ({ passkeyLogin }) => ({
    params: {},
    ...(await passkeyLogin()),
  })),
  readSecondFactors: row('second-factors.manage', anybodyVerified, noInput),
  offerAuthenticator: row('second-factors.manage', anybodyVerified, async ({ confirmedByEmail }) => {
    await confirmedByEmail();
    return { params: {} };
  }),
  addAuthenticator: row('second-factors.manage', anybodyVerified, async ({ world: { deps }, confirmedByEmail }) => {
    const { key, offer } = await deps.identity.authenticatorCodes.createKey(await confirmedByEmail());
    return { params: {}, body: { offer, code: generateAppCode(key, deps.now()) } };
  }),
  removeAuthenticator: row('second-factors.manage', anybodyVerified, async ({ world: { deps }, confirmedByEmail }) => {
    await addAuthenticatorTo(deps, await confirmedByEmail());
    return { params: {} };
  }),
  offerPasskey: row('second-factors.manage', anybodyVerified, async ({ confirmedByEmail }) => {
    await confirmedByEmail();
    return { params: {} };
  }),
  addPasskey: row('second-factors.manage', anybodyVerified, async ({ world: { deps }, confirmedByEmail }) => {
    const { userId } = await confirmedByEmail();
    const challenge = Buffer.from('challenge').toString('base64url');
    const passkey = createSoftwarePasskey().create({ challenge }, { origin: deps.publicUrl() });
    return {
      params: {},
      body: { offer: await deps.identity.sealedTexts.seal(userId, challenge), name: 'Phone', passkey },
    };
  }),
  removePasskey: row('second-factors.manage', anybodyVerified, async ({ world: { deps }, confirmedByEmail }) => {
    const passkey = createSoftwarePasskey();
    await addPasskeyTo(deps, await confirmedByEmail(), passkey, deps.publicUrl());
    return { params: { passkeyid: passkey.id } };
  }),
  renewRecoveryCodes: row('second-factors.manage', anybodyVerified, async ({ world: { deps }, confirmedByEmail }) => {
    await addAuthenticatorTo(deps, await confirmedByEmail());
    return { params: {} };
  }),
  signOut: row('session.begin', anybody, noInput),
  signOutElsewhere: row('session.change', anybodySignedIn, noInput),
  readSessions: row('session.read', anybodySignedIn, noInput),
  nameSession: row('session.change', anybodySignedIn, async (targets) => ({
    params: { sessionid: await targets.ownSession() },
    body: { name: 'Library computer' },
  })),
  endSession: row('session.change', anybodySignedIn, async (targets) => ({
    params: { sessionid: await targets.ownSession() },
  })),
  signOutEverywhere: row('session.change', anybodySignedIn, noInput),
};
