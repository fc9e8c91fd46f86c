import type { FastifyInstance } from 'fastify';
import type { CallName } from '#contract/calls.ts';
import { Failure } from '#domain/failures.ts';
import type { Action } from '#domain/permissions.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import type { AppDeps } from '#server/deps.ts';
import { createDevelopmentMailbox } from '#server/gateways/email/development-mailbox.ts';
import {
  buildTestApp,
  createTestDeps,
  createTestIdentity,
  type DepsOverrides,
  unreachableProvider,
} from '#test/support/build-app.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { addUser } from '#test/support/builders/user.ts';
import { createTestClock } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { readTableNames } from '#test/support/person-traces.ts';
import { createPlainPhoto } from '#test/support/photos.ts';
import { type RouteName, recordRoutes } from '#test/support/record-routes.ts';
import type { Orgs } from './callers.ts';

export type World = {
  readonly db: Database;
  readonly deps: AppDeps;
  readonly app: FastifyInstance;
  readonly routes: readonly RouteName[];
  readonly actions: ReadonlyMap<CallName, Action>;
  readonly orgs: Orgs;
  /** The key of a stored picture. */
  readonly pictureKey: string;
  readonly photo: Buffer;
  /** Two offsetters in the caller's organization. */
  readonly shownOffsetter: string;
  readonly draftOffsetter: string;
  /** The id of an email in the development mailbox. */
  readonly emailId: string;
};

export const GOOD_SIGNATURE = 'signed';

/** Makes every organization require a second factor from its editors. */
export async function requireSecondFactor({ kysely }: Database): Promise<void> {
  await kysely.updateTable('orgs').set({ editors_need_second_factor: true }).execute();
}

/**
 * Creates the app with all routes, two organizations that each have another editor, and another admin. The clock is
 * stopped because many tests share tokens for longer than a token is valid.
 */
export async function createWorld(overrides: DepsOverrides = {}): Promise<World> {
  const db = await createTestDatabase();
  await installChangeCounter(db);
  const mailbox = createDevelopmentMailbox({
    folder: await createScratchFolder('mailbox'),
    from: { name: 'F', address: 'f@example.org' },
  });
  await mailbox.send({ to: 'a@example.org', subject: 'S', text: 'T', html: '<p>T</p>', messageKey: 'k' });
  const plainDeps = await createTestDeps(db, {
    now: createTestClock().now,
    payments: PAYMENTS,
    shareImages: SHARE_IMAGES,
    mailbox,
    ...overrides,
  });
  const identity = createTestIdentity({ ...plainDeps, log: createLogSpy().log, adminsNeedSecondFactor: true });
  const deps = { ...plainDeps, identity: { ...identity, google: GOOGLE } };
  const { app, routes, actions } = await recordRoutes(() => buildTestApp(deps));
  const orgs = { 'own organization': await addOrg(db), 'other organization': await addOrg(db) };
  await requireSecondFactor(db);
  for (const orgId of Object.values(orgs)) await addEditor(db, orgId, await addUser(db));
  await addUser(db, { admin: true });
  const photo = await createPlainPhoto(48, 32).jpeg().toBuffer();
  const picture = await deps.pictures.store(photo);
  if (picture instanceof Failure) throw picture;
  const [email] = await mailbox.list();
  const shownOffsetter = await addOffsetter(db, orgs['own organization']);
  const draftOffsetter = await addOffsetter(db, orgs['own organization'], { status: 'draft' });
  return {
    shownOffsetter,
    draftOffsetter,
    db,
    deps,
    app,
    routes,
    actions,
    orgs,
    pictureKey: picture.key,
    photo,
    emailId: email?.id ?? '',
  };
}

const SHARE_IMAGES: AppDeps['shareImages'] = {
  open: async () => ({ png: Buffer.from('image'), tag: 'image' }),
};

/** A provider that opens any page and sends only irrelevant events. */
const PAYMENTS: AppDeps['payments'] = {
  ...unreachableProvider,
  createSession: async () => ({ sessionId: newId(), url: 'https://pay.example/page' }),
  closeSession: async () => 'closed',
  refund: async () => ({ chargeId: 'ch_refunded' }),
  cancelSubscription: async () => 'ended',
  changeSubscription: async (subscriptionId) => ({
    subscriptionId,
    giftKey: undefined,
    origin: 'foreign',
    livemode: false,
    orgId: undefined,
    checkoutId: undefined,
    status: 'active',
    amount: 1000,
    coveredFee: 0,
    interval: { unit: 'month', count: 1 },
    nextChargeAt: undefined,
    endedAt: undefined,
    hasEndedUnpaid: false,
  }),
  openCardPage: async () => ({ url: 'https://pay.example/card' }),
  verifyEvent: (_body, { 'stripe-signature': signature }) =>
    signature === GOOD_SIGNATURE
      ? {
          id: newId(),
          type: 'customer.created',
          occurredAt: new Date('2026-03-14T09:30:00Z'),
          account: undefined,
          livemode: false,
          subject: undefined,
          payload: '{}',
        }
      : new Failure('webhook-signature'),
};

/** A Google login that no one completes. */
const GOOGLE: NonNullable<AppDeps['identity']['google']> = {
  start: async () => ({ url: 'https://accounts.example/', cookies: [] }),
  finish: async () => ({ person: undefined, returnTo: undefined, previousSessionHash: undefined, cookies: [] }),
};

/** Makes the database count every row that is added, changed, or deleted. */
async function installChangeCounter(db: Database): Promise<void> {
  // Rate limits count every attempt, so even rejected calls change them.
  const tables = (await readTableNames(db)).filter((table) => table !== 'rate_limits');
  const triggers = tables.map(
    (table) => `
    create trigger counted after insert or update or delete on "${table}" for each row execute function count_change();`,
  );
  await db.pool.query(`
    create table counted_changes (table_name text);
    create function count_change() returns trigger language plpgsql as $$
      begin
        if tg_op <> 'UPDATE' or old is distinct from new then
          insert into counted_changes values (tg_table_name);
        end if;
        return null;
      end $$;
    ${triggers.join('')}`);
}

/** Number of rows ever added, changed, or deleted by committed transactions. */
export async function countChangedRows(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ changes: number }>('select count(*) as changes from counted_changes');
  return rows[0]?.changes ?? 0;
}
