import type { BodyInput } from '#contract/schemas.ts';
import { newId } from '#server/db/new-id.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { setPassword } from '#server/features/sessions/accounts.store.ts';
import { createConfirmationCode } from '#server/features/sessions/confirm-identity.ts';
import { createEmailLink } from '#server/features/sessions/send-session-email.job.ts';
import { openSession } from '#server/features/sessions/session-lifecycle.ts';
import { addAttentionItem } from '#test/support/builders/attention.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addCheck, addGift, type GiftIds } from '#test/support/builders/gift.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { addRecurringGift } from '#test/support/builders/recurring-gift.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { addTributeGift } from '#test/support/builders/tribute.ts';
import { addUser } from '#test/support/builders/user.ts';
import {
  addAuthenticatorTo,
  addPasskeyTo,
  confirmByEmail,
  createPendingLoginCookie,
} from '#test/support/second-factors.ts';
import { createEmailLogin } from '#test/support/sign-in.ts';
import { createSoftwarePasskey } from '#test/support/software-passkey.ts';
import { type Caller, type Credentials, PLACES, type Place } from './callers.ts';
import type { World } from './world.ts';

/** Callers who own the call's subject. */
const OWNERS: readonly Caller[] = ['owner', 'unverified', 'cookie alone', 'expired token', 'tampered token'];

export const NEW_PASSWORD = 'a new password of many words';
export const OLD_PASSWORD = 'an old password of many words';

/** Subjects of requests, each created when needed. */
export type Targets = {
  readonly world: World;
  readonly credentials: Credentials;
  readonly orgid: string;
  /** The caller if they own the subject; otherwise another user. */
  readonly ownerId: string;
  readonly offsetter: () => Promise<string>;
  readonly awardee: () => Promise<string>;
  readonly installer: () => Promise<string>;
  readonly paidCheckout: () => Promise<string>;
  /** A recurring gift's page key and checkout. */
  readonly recurringGift: () => Promise<{ giftkey: string; checkoutid: string }>;
  /** A pledged check. */
  readonly pledge: () => Promise<string>;
  readonly gift: () => Promise<GiftIds>;
  /** A payment that needs attention, in an organization or in none. */
  readonly attention: (orgId: string | null) => Promise<string>;
  /** A received check. */
  readonly check: () => Promise<{ pledgeid: string; entryid: string }>;
  /** The ledger entry of a receipt. */
  readonly receipt: () => Promise<string>;
  /** The checkout of a gift whose tribute card was emailed. */
  readonly card: () => Promise<string>;
  readonly editor: () => Promise<string>;
  readonly removedEditor: () => Promise<string>;
  readonly invitation: () => Promise<string>;
  /** Another user, who can log in with a password. */
  readonly addPerson: () => Promise<{ id: string; email: string }>;
  /** The code emailed to the caller. */
  readonly confirmationCode: () => Promise<string>;
  /** Another session of the caller. */
  readonly ownSession: () => Promise<string>;
  /** The caller, or a person without a session, after confirming by email. */
  readonly confirmedByEmail: () => Promise<{ userId: string; email: string }>;
  /** Another user's login pending its second step, with a valid code. */
  readonly pendingLogin: () => Promise<{ cookie: string; code: string }>;
  /** Another user's login with a passkey. */
  readonly passkeyLogin: () => Promise<{ cookie: string; body: BodyInput<'signInWithPasskey'> }>;
  /** The code in an emailed link. */
  readonly code: (purpose: 'sign-in' | 'verify' | 'reset', to: { id: string; email: string }) => Promise<string>;
};

/** @returns true if the caller owns the subject of a call in this organization */
export function isOwner(caller: Caller, place: Place): boolean {
  return OWNERS.includes(caller) && (place === PLACES[0] || caller !== 'owner');
}

export async function createTargets(
  world: World,
  caller: Caller,
  place: Place,
  credentials: Credentials,
): Promise<Targets> {
  const { db, deps, orgs } = world;
  const orgId = orgs[place];
  const ownerId = isOwner(caller, place) && credentials.person ? credentials.person.userId : await addUser(db);
  return {
    world,
    credentials,
    orgid: orgId,
    ownerId,
    offsetter: () => addOffsetter(db, orgId, { user_id: ownerId }),
    awardee: () => addStory(db, 'awardees', orgId),
    installer: () => addStory(db, 'installers', orgId),
    paidCheckout: () => addCheckout(db, orgId, { payment_status: 'paid', paid_at: deps.now(), user_id: ownerId }),
    recurringGift: () => addRecurringGift(db, orgId, { user_id: ownerId }),
    pledge: () => addPledge(db, orgId),
    gift: () => addGift(db, orgId),
    attention: (attentionOrgId) => addAttentionItem(db, attentionOrgId),
    check: async () => {
      const pledgeId = await addCheck(db, orgId, 'payer@example.org', deps.now());
      const entry = db.kysely.selectFrom('ledger_entries').select('id').where('pledge_id', '=', pledgeId);
      return { pledgeid: pledgeId, entryid: (await entry.executeTakeFirstOrThrow()).id };
    },
    receipt: async () => (await addGift(db, orgId)).ledgerEntryId,
    card: () => addTributeGift(db, orgId),
    editor: async () => {
      const userId = await addUser(db);
      await addEditor(db, orgId, userId);
      return userId;
    },
    removedEditor: async () => {
      const userId = await addUser(db);
      const now = deps.now();
      const removedEditor = { org_id: orgId, user_id: userId, display_name: '', created_at: now, removed_at: now };
      await db.kysely.insertInto('removed_editors').values(removedEditor).execute();
      return userId;
    },
    invitation: () => addInvitation(db, orgId),
    addPerson: async () => {
      const id = await addUser(db);
      const hash = await deps.identity.hashPassword(OLD_PASSWORD);
      await inTransaction(db, (tx) => setPassword(tx, newId(), id, hash));
      return { id, email: `${id}@example.org` };
    },
    confirmedByEmail: async () => {
      const { userId, email } = credentials.person ?? { userId: await addUser(db), email: 'someone@example.org' };
      await confirmByEmail(deps, userId);
      return { userId, email };
    },
    pendingLogin: async () => {
      const userId = await addUser(db);
      const { code } = await addAuthenticatorTo(deps, { userId, email: `${userId}@example.org` });
      return { cookie: await createPendingLoginCookie(deps, userId), code: code() };
    },
    passkeyLogin: async () => {
      const userId = await addUser(db);
      const passkey = createSoftwarePasskey();
      const origin = deps.publicUrl();
      await addPasskeyTo(deps, { userId, email: `${userId}@example.org` }, passkey, origin);
      const challenge = Buffer.from('a challenge').toString('base64url');
      const cookie = await createPendingLoginCookie(deps, null, challenge);
      return { cookie, body: { passkey: passkey.authenticate({ challenge }, { origin }) } };
    },
    confirmationCode: async () => (credentials.person ? createConfirmationCode(deps, credentials.person) : '123456'),
    ownSession: async () => {
      const login = createEmailLogin(credentials.person?.userId ?? ownerId);
      return (await inTransaction(db, (tx) => openSession(tx, login, deps.now()))).id;
    },
    code: async (purpose, { id, email }) => {
      const userId = purpose === 'sign-in' ? {} : { userId: id };
      const link = await createEmailLink(deps, { purpose, email, ...userId });
      return new URL(link).searchParams.get('code') ?? '';
    },
  };
}
