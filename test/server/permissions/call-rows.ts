import { randomUUID } from 'node:crypto';
import type { CallName, CallParams } from '#contract/calls.ts';
import type { SentBody, SentQuery } from '#contract/schemas.ts';
import { donationItem } from '#domain/cart.ts';
import { dayOf } from '#domain/days.ts';
import { defaultCell } from '#domain/default-cells.ts';
import { FACTORS_VERSION } from '#domain/emissions.ts';
import { invitationEnd } from '#domain/invitations.ts';
import { newInvitationLink } from '#server/features/sessions/accept-invitation.ts';
import { findOrg } from '#server/orgs/find-org.ts';
import { userById } from '#server/users/find-user.ts';
import { editorialForm } from '#test/support/builders/editorial-form.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addGrant, grantBody } from '#test/support/builders/grant.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { offsetterForm } from '#test/support/builders/offsetter-form.ts';
import { addPayout } from '#test/support/builders/payout.ts';
import { photoForm } from '#test/support/builders/photo-form.ts';
import { profileForm } from '#test/support/builders/profile-form.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { addAuthenticatorTo, addPasskeyTo, appCode } from '#test/support/second-factors.ts';
import { softwarePasskey } from '#test/support/software-passkey.ts';
import {
  type Audience,
  admins,
  anybody,
  anybodyProven,
  anybodySignedIn,
  oneself,
  oneselfAndAdmins,
  oneselfProven,
  onlyAdmins,
  ownerAndAdmins,
  ownerOfAddress,
  rolesAndAdminsFor,
  rolesFor,
  settingsEditors,
  withoutSecondFactor,
} from './outcomes.ts';
import { NEW_PASSWORD, OLD_PASSWORD, type Targets } from './targets.ts';

/** A request that only a permission can refuse. */
export type CallRequest<Name extends CallName> = {
  readonly params: CallParams<Name>;
  readonly query?: SentQuery<Name>;
  readonly body?: SentBody<Name>;
  readonly form?: FormData;
  /** A Cookie header, where a cookie is what the call asks for. */
  readonly cookie?: string;
};

type Row<Name extends CallName> = {
  /** Who may make the call. */
  readonly may: Audience;
  readonly request: (targets: Targets) => Promise<CallRequest<Name>>;
};

function row<Name extends CallName>(may: Audience, request: Row<Name>['request']): Row<Name> {
  return { may: (place) => withoutSecondFactor(may(place)), request };
}

/** No two organizations have the same slug. */
const newOrg = () => ({ name: 'A new fund', tag: 'Warm homes', slug: randomUUID() });

const inOrg = async ({ orgid }: Targets) => ({ params: { orgid } });
const ofMonth = async ({ orgid, world }: Targets) => ({
  params: { orgid },
  query: { month: dayOf(world.deps.now(), 'America/New_York').slice(0, 7) },
});
const ofPayout = async ({ orgid, world }: Targets) => ({
  params: { orgid, payoutid: await addPayout(world.db, orgid) },
});
const versionUsed = async ({ orgid, world }: Targets) =>
  (await findOrg(world.db, orgid))?.factors?.version ?? FACTORS_VERSION;
const nothing = async () => ({ params: {} });
const themselves = async ({ ownerId }: Targets) => ({ params: { userid: ownerId } });
const ofOffsetter = async ({ orgid, offsetter }: Targets) => ({ params: { orgid, offsetterid: await offsetter() } });
const ofAwardee = async ({ orgid, awardee }: Targets) => ({ params: { orgid, awardeeid: await awardee() } });
const ofInstaller = async ({ orgid, installer }: Targets) => ({ params: { orgid, installerid: await installer() } });
const ofCheckout = async ({ orgid, paidCheckout }: Targets) => ({
  params: { orgid, checkoutid: await paidCheckout() },
});

const ofGift = async ({ orgid, recurringGift }: Targets) => ({
  params: { orgid, giftkey: (await recurringGift()).giftkey },
});

const ofGrant = async ({ orgid, world }: Targets, standing: 'applied' | 'promised' = 'applied') => ({
  params: { orgid, grantid: await addGrant(world.db, orgid, { standing }) },
});

const ofPledge = async ({ orgid, pledge }: Targets) => ({ params: { orgid, pledgeid: await pledge() } });

/** The caller, who alone can use a code that verifies their address. */
async function byReceiptKey({ orgid, receipt, world }: Targets) {
  const { key } = await world.db.kysely
    .selectFrom('receipts')
    .select('key')
    .where('ledger_entry_id', '=', await receipt())
    .executeTakeFirstOrThrow();
  return { params: { orgid }, query: { key } };
}

function bearer({ credentials, ownerId }: Targets): { id: string; email: string } {
  return credentials.person
    ? { id: credentials.person.userId, email: credentials.person.email }
    : { id: ownerId, email: `${ownerId}@example.org` };
}

/** Who may make each call (§6, decisions §4), and a request that only a permission can refuse. A call without a row fails. */
export const CALL_ROWS: { readonly [Name in CallName]: Row<Name> } = {
  // What the public sees
  readSite: row(anybody, nothing),
  readCardFee: row(anybody, nothing),
  readOrgs: row(anybody, nothing),
  readOrg: row(anybody, inOrg),
  waitForChange: row(anybody, inOrg),
  readFactors: row(anybody, inOrg),
  readCells: row(anybody, inOrg),
  readCell: row(anybody, async ({ orgid }) => ({ params: { orgid, page: 'home', name: 'intro' } })),
  saveCell: row(rolesFor('cells.edit'), async ({ orgid }) => ({
    params: { orgid, page: 'home', name: 'intro' },
    body: { markdown: 'Another **text**', basedOn: defaultCell('home', 'intro') },
  })),
  resetCell: row(rolesFor('cells.edit'), async ({ orgid }) => ({ params: { orgid, page: 'home', name: 'intro' } })),
  readCellVersions: row(rolesFor('cells.edit'), async ({ orgid }) => ({
    params: { orgid, page: 'home', name: 'intro' },
  })),
  previewCell: row(rolesFor('cells.edit'), async ({ orgid }) => ({
    params: { orgid, page: 'home', name: 'intro' },
    body: { markdown: 'Another **text**' },
  })),
  addPicture: row(rolesFor('cells.edit'), async ({ orgid, world }) => ({
    params: { orgid },
    form: photoForm(world.photo),
  })),
  readOffsetters: row(anybody, inOrg),
  readOffsetter: row(anybody, ofOffsetter),
  readOffsetterNeighbors: row(anybody, ofOffsetter),
  readAwardees: row(anybody, inOrg),
  readAwardee: row(anybody, ofAwardee),
  readAwardeeNeighbors: row(anybody, ofAwardee),
  readInstallers: row(anybody, inOrg),
  readInstaller: row(anybody, ofInstaller),
  readInstallerNeighbors: row(anybody, ofInstaller),
  searchCities: row(anybody, async () => ({ params: {}, query: { search: 'Ithaca' } })),

  // Giving, which needs no account: knowing a checkout's id is enough
  createCheckout: row(anybody, async ({ orgid }) => ({ params: { orgid }, body: { cart: [donationItem(25)] } })),
  readCheckout: row(anybody, ofCheckout),
  submitProfile: row(anybody, async (targets) => {
    const { params } = await ofCheckout(targets);
    return { params, form: profileForm({ checkoutId: params.checkoutid, photo: targets.world.photo }) };
  }),
  completeCheckout: row(anybody, ofCheckout),
  readGift: row(anybody, ofGift),
  stopGift: row(anybody, ofGift),
  changeGiftCard: row(anybody, ofGift),
  changeGift: row(anybody, async (targets) => ({
    ...(await ofGift(targets)),
    body: { amount: 20, unit: 'month', count: 2 },
  })),
  pauseGift: row(anybody, async (targets) => ({ ...(await ofGift(targets)), body: { paused: true } })),
  pledgeCheck: row(anybody, async ({ orgid }) => ({
    params: { orgid },
    body: { name: 'Paula Payer', email: 'payer@example.org', amount: 25 },
  })),

  // Gifts, checks and receipts
  searchCheckouts: row(rolesFor('checkouts.read'), async ({ orgid }) => ({ params: { orgid }, body: {} })),
  sumCheckouts: row(rolesFor('checkouts.read'), async ({ orgid }) => ({ params: { orgid }, body: {} })),
  readCheckoutRecord: row(rolesFor('checkouts.read'), ofCheckout),
  deleteCheckout: row(rolesFor('checkouts.delete'), ofCheckout),
  refundPayment: row(rolesFor('payments.refund'), async ({ orgid, gift }) => {
    const { checkoutId: checkoutid, ledgerEntryId: entryid } = await gift();
    return { params: { orgid, checkoutid }, body: { requestid: randomUUID(), entryid, reason: 'Given twice' } };
  }),
  readAttention: row(rolesFor('checkouts.read'), inOrg),
  settleAttention: row(rolesFor('attention.settle'), async ({ orgid, attention }) => ({
    params: { orgid, itemid: await attention(orgid) },
    body: { note: 'Refunded at the provider' },
  })),
  readStrayAttention: row(admins, nothing),
  settleStrayAttention: row(admins, async ({ attention }) => ({
    params: { itemid: await attention(null) },
    body: { note: 'Refunded at the provider' },
  })),
  stopCheckoutGift: row(rolesFor('gifts.stop'), async ({ orgid, recurringGift }) => ({
    params: { orgid, checkoutid: (await recurringGift()).checkoutid },
  })),
  readPledges: row(rolesFor('checks.read'), inOrg),
  recordPledge: row(rolesFor('checks.manage'), async (targets) => ({
    ...(await ofPledge(targets)),
    body: { name: 'Paula Payer', email: 'payer@example.org', amount: 25 },
  })),
  receivePledge: row(rolesFor('checks.manage'), async (targets) => ({
    ...(await ofPledge(targets)),
    body: { amount: 25, receivedOn: dayOf(targets.world.deps.now(), 'America/New_York') },
  })),
  reversePledge: row(rolesFor('checks.manage'), async ({ orgid, check }) => {
    const { pledgeid, entryid } = await check();
    return { params: { orgid, pledgeid }, body: { entryid, because: 'bounced', reason: 'Account closed' } };
  }),
  withdrawPledge: row(rolesFor('checks.manage'), async (targets) => ({
    ...(await ofPledge(targets)),
    body: { withdrawn: true },
  })),
  readGrants: row(rolesFor('grants.read'), inOrg),
  saveGrant: row(rolesFor('grants.edit'), async ({ orgid, awardee }) => ({
    params: { orgid, grantid: randomUUID() },
    body: grantBody(await awardee()),
  })),
  deleteGrant: row(rolesFor('grants.edit'), ofGrant),
  noteGrantWork: row(rolesFor('grants.edit'), async (targets) => ({
    ...(await ofGrant(targets, 'promised')),
    body: { doneOn: '2026-03-01', inspectedOn: null },
  })),
  promiseGrant: row(rolesFor('grants.pay'), async (targets) => ({
    ...(await ofGrant(targets)),
    body: { on: '2026-03-01' },
  })),
  payGrant: row(rolesFor('grants.pay'), async (targets) => ({
    ...(await ofGrant(targets)),
    body: { on: '2026-03-01', amount: 1500 },
  })),
  reverseGrant: row(rolesFor('grants.pay'), async (targets) => {
    const { params } = await ofGrant(targets, 'promised');
    const { promised_entry_id: entryid } = await targets.world.db.kysely
      .selectFrom('grants')
      .select('promised_entry_id')
      .where('id', '=', params.grantid)
      .executeTakeFirstOrThrow();
    return { params, body: { entryid: entryid ?? '', reason: 'The household moved' } };
  }),
  readFreeMoney: row(rolesFor('books.read'), inOrg),
  readPounds: row(anybody, inOrg),
  downloadPounds: row(anybody, inOrg),
  downloadLedger: row(rolesFor('ledger.download'), inOrg),
  sendReceipt: row(rolesFor('receipts.send'), async ({ orgid, receipt }) => ({
    params: { orgid, entryid: await receipt() },
  })),
  downloadReceipt: row(rolesFor('receipts.read'), async ({ orgid, receipt }) => ({
    params: { orgid, entryid: await receipt() },
  })),
  openReceipt: row(anybody, byReceiptKey),
  openGiftHomes: row(anybody, byReceiptKey),
  sendReceiptTo: row(rolesFor('receipts.send'), async ({ orgid, receipt }) => ({
    params: { orgid, entryid: await receipt() },
    body: { email: 'elsewhere@example.org' },
  })),
  sendCardTo: row(rolesFor('receipts.send'), async ({ orgid, card }) => ({
    params: { orgid, checkoutid: await card() },
    body: { email: 'elsewhere@example.org' },
  })),
  noteReceiptPosted: row(rolesFor('receipts.send'), async ({ orgid, receipt }) => ({
    params: { orgid, entryid: await receipt() },
  })),
  readUndelivered: row(rolesFor('receipts.read'), inOrg),
  readPayouts: row(rolesFor('books.read'), inOrg),
  readPayoutMovements: row(rolesFor('books.read'), ofPayout),
  readMonth: row(rolesFor('books.read'), inOrg),
  downloadMonthPdf: row(rolesFor('books.read'), ofMonth),
  downloadMonthTable: row(rolesFor('books.read'), ofMonth),
  downloadQuickBooks: row(rolesFor('books.read'), ofMonth),
  readActivity: row(rolesFor('activity.read'), inOrg),
  readAllActivity: row(admins, nothing),
  readPolicyReports: row(admins, nothing),
  readFigures: row(admins, nothing),
  checkSettings: row(admins, nothing),
  readOverview: row(rolesFor('overview.read'), inOrg),

  // People
  authorize: row(anybodySignedIn, nothing),
  refreshClaims: row(anybodySignedIn, nothing),
  readUser: row(oneselfAndAdmins, themselves),
  searchUsers: row(admins, nothing),
  setAdmin: row(admins, async ({ somebody }) => ({
    params: { userid: (await somebody()).id },
    body: { admin: true },
  })),
  removeSecondFactors: row(admins, async ({ world: { deps }, somebody }) => {
    const { id, email } = await somebody();
    await addAuthenticatorTo(deps, { userId: id, email });
    return { params: { userid: id } };
  }),
  readGiving: row(oneselfProven, themselves),
  downloadStatement: row(oneselfProven, async ({ orgid, ownerId, world }) => {
    await addGift(world.db, orgid, { user_id: ownerId });
    return { params: { userid: ownerId, year: '2026' } };
  }),
  readOwnActivity: row(oneself, themselves),
  downloadUser: row(oneself, themselves),
  deleteUser: row(oneself, themselves),

  // Organizations
  createOrg: row(admins, async ({ somebody }) => ({
    params: {},
    body: { ...newOrg(), email: (await somebody()).email },
  })),
  readOrgSettings: row(rolesFor('org.edit'), inOrg),
  editOrg: row(settingsEditors, async (targets) => ({
    ...(await inOrg(targets)),
    body: { name: 'Another Fund' },
  })),
  chooseFactors: row(rolesFor('org.edit'), async (targets) => ({
    ...(await inOrg(targets)),
    body: { choice: {}, why: 'As before', versionSeen: await versionUsed(targets) },
  })),
  replaceHeader: row(rolesFor('org.edit'), async (targets) => ({
    ...(await inOrg(targets)),
    form: photoForm(targets.world.photo),
  })),
  removeHeader: row(rolesFor('org.edit'), inOrg),
  runTest: row(admins, nothing),

  // Editors
  readEditors: row(rolesAndAdminsFor('editors.read'), inOrg),
  addEditor: row(rolesAndAdminsFor('editors.manage'), async ({ orgid, somebody }) => ({
    params: { orgid },
    body: { email: (await somebody()).email },
  })),
  changeEditor: row(rolesAndAdminsFor('editors.manage'), async ({ orgid, editor }) => ({
    params: { orgid, userid: await editor() },
    body: { role: 'reader' },
  })),
  removeEditor: row(rolesAndAdminsFor('editors.remove'), async ({ orgid, editor }) => ({
    params: { orgid, userid: await editor() },
  })),
  keepEditor: row(rolesAndAdminsFor('editors.manage'), async ({ orgid, editor }) => ({
    params: { orgid, userid: await editor() },
  })),
  withdrawInvitation: row(rolesAndAdminsFor('editors.manage'), async ({ orgid, invitation }) => ({
    params: { orgid, invitationid: await invitation() },
  })),

  // Offsetters
  readMyOffsetter: row(anybodySignedIn, inOrg),
  readOffsetterToEdit: row(ownerAndAdmins, ofOffsetter),
  claimOffsetter: row(ownerOfAddress, async ({ orgid, ownerId, world }) => {
    const email = (await userById(world.db.kysely, ownerId))?.email ?? '';
    return {
      params: { orgid, offsetterid: await addOffsetter(world.db, orgid, { email, claim: 'asked' }) },
      body: { mine: true },
    };
  }),
  editOffsetter: row(ownerAndAdmins, async (targets) => ({
    ...(await ofOffsetter(targets)),
    form: offsetterForm({}, targets.world.photo),
  })),
  deleteOffsetter: row(onlyAdmins, ofOffsetter),

  // Stories
  readReview: row(rolesFor('stories.edit'), inOrg),
  readOffsettersToReview: row(rolesFor('stories.edit'), inOrg),
  setOffsetterStatus: row(rolesFor('stories.edit'), async (targets) => ({
    ...(await ofOffsetter(targets)),
    body: { status: 'hidden' },
  })),
  readAwardeesToEdit: row(rolesFor('stories.edit'), inOrg),
  readAwardeeToEdit: row(rolesFor('stories.edit'), ofAwardee),
  createAwardee: row(rolesFor('stories.edit'), async ({ orgid }) => ({ params: { orgid }, form: editorialForm() })),
  editAwardee: row(rolesFor('stories.edit'), async (targets) => ({
    ...(await ofAwardee(targets)),
    form: editorialForm(),
  })),
  setAwardeeStatus: row(rolesFor('stories.edit'), async (targets) => ({
    ...(await ofAwardee(targets)),
    body: { status: 'hidden' },
  })),
  deleteAwardee: row(rolesFor('stories.edit'), ofAwardee),
  readInstallersToEdit: row(rolesFor('stories.edit'), inOrg),
  readInstallerToEdit: row(rolesFor('stories.edit'), ofInstaller),
  createInstaller: row(rolesFor('stories.edit'), async ({ orgid }) => ({ params: { orgid }, form: editorialForm() })),
  editInstaller: row(rolesFor('stories.edit'), async (targets) => ({
    ...(await ofInstaller(targets)),
    form: editorialForm({ status: 'hidden' }),
  })),
  setInstallerStatus: row(rolesFor('stories.edit'), async (targets) => ({
    ...(await ofInstaller(targets)),
    body: { status: 'hidden' },
  })),
  deleteInstaller: row(rolesFor('stories.edit'), ofInstaller),

  // Sessions: the request itself proves who is calling
  readToken: row(anybody, nothing),
  signInByPassword: row(anybody, async ({ somebody }) => ({
    params: {},
    body: { email: (await somebody()).email, password: OLD_PASSWORD },
  })),
  sendSignInLink: row(anybody, async ({ somebody }) => ({ params: {}, body: { email: (await somebody()).email } })),
  signInByLink: row(anybody, async ({ somebody, code }) => {
    const person = await somebody();
    return { params: {}, body: { email: person.email, code: await code('sign-in', person) } };
  }),
  acceptInvitation: row(anybody, async ({ orgid, world: { db, deps } }) => {
    const email = `invited-${randomUUID()}@example.org`;
    const invitationId = await addInvitation(db, orgid, { email, created_at: deps.now() });
    const expiresAt = invitationEnd(deps.now());
    const link = await newInvitationLink(deps, { invitationId, email, returnTo: '/', expiresAt });
    return { params: {}, body: { code: new URL(link).searchParams.get('code') ?? '', name: 'Ivo' } };
  }),
  signInByGoogle: row(anybody, async () => ({ params: {}, body: {} })),
  signUp: row(anybody, async ({ ownerId }) => ({
    params: {},
    body: { email: `new-${ownerId}@example.org`, password: NEW_PASSWORD },
  })),
  sendVerification: row(anybodySignedIn, async () => ({ params: {}, body: {} })),
  verifyAddress: row(anybodySignedIn, async (targets) => ({
    params: {},
    body: { code: await targets.code('verify', bearer(targets)) },
  })),
  sendProofCode: row(anybodyProven, nothing),
  startProof: row(anybodySignedIn, nothing),
  startGoogleProof: row(anybodySignedIn, nothing),
  prove: row(anybodySignedIn, async (targets) => ({ params: {}, body: { code: await targets.proofCode() } })),
  sendPasswordReset: row(anybody, async ({ somebody }) => ({ params: {}, body: { email: (await somebody()).email } })),
  resetPassword: row(anybody, async ({ somebody, code }) => ({
    params: {},
    body: { code: await code('reset', await somebody()), password: NEW_PASSWORD },
  })),
  changePassword: row(anybodySignedIn, async () => ({ params: {}, body: { password: NEW_PASSWORD } })),
  startSecondStep: row(anybody, async (targets) => ({ params: {}, cookie: (await targets.halfLogin()).cookie })),
  finishSecondStep: row(anybody, async ({ halfLogin }) => {
    const { cookie, code } = await halfLogin();
    return { params: {}, cookie, body: { code } };
  }),
  startPasskeyLogin: row(anybody, nothing),
  signInByPasskey: row(anybody, async ({ passkeyLogin }) => ({ params: {}, ...(await passkeyLogin()) })),
  readSecondFactors: row(anybodyProven, nothing),
  offerAuthenticator: row(anybodyProven, async ({ provenByMail }) => {
    await provenByMail();
    return { params: {} };
  }),
  addAuthenticator: row(anybodyProven, async ({ world: { deps }, provenByMail }) => {
    const { key, offer } = await deps.identity.authenticatorCodes.newKey(await provenByMail());
    return { params: {}, body: { offer, code: appCode(key, deps.now()) } };
  }),
  removeAuthenticator: row(anybodyProven, async ({ world: { deps }, provenByMail }) => {
    await addAuthenticatorTo(deps, await provenByMail());
    return { params: {} };
  }),
  offerPasskey: row(anybodyProven, async ({ provenByMail }) => {
    await provenByMail();
    return { params: {} };
  }),
  addPasskey: row(anybodyProven, async ({ world: { deps }, provenByMail }) => {
    const { userId } = await provenByMail();
    const challenge = Buffer.from('challenge').toString('base64url');
    const passkey = softwarePasskey().create({ challenge }, { origin: deps.publicUrl() });
    return { params: {}, body: { offer: await deps.identity.offers.seal(userId, challenge), name: 'Phone', passkey } };
  }),
  removePasskey: row(anybodyProven, async ({ world: { deps }, provenByMail }) => {
    const passkey = softwarePasskey();
    await addPasskeyTo(deps, await provenByMail(), passkey, deps.publicUrl());
    return { params: { passkeyid: passkey.id } };
  }),
  renewRecoveryCodes: row(anybodyProven, async ({ world: { deps }, provenByMail }) => {
    await addAuthenticatorTo(deps, await provenByMail());
    return { params: {} };
  }),
  signOut: row(anybody, nothing),
  signOutElsewhere: row(anybodySignedIn, nothing),
  readSessions: row(anybodySignedIn, nothing),
  nameSession: row(anybodySignedIn, async (targets) => ({
    params: { sessionid: await targets.ownSession() },
    body: { name: 'Library computer' },
  })),
  endSession: row(anybodySignedIn, async (targets) => ({ params: { sessionid: await targets.ownSession() } })),
  signOutEverywhere: row(anybodySignedIn, nothing),
};
