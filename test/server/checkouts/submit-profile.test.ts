// @spec 1.profile 2.offsetter-screen 3.checkout 3.offsetter 4.checkout 5.email 5.profile 7.submit-profile 7.upload
// @spec 8.strings decisions.3 decisions.4 decisions.5 decisions.6
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { Failure } from '#domain/failures.ts';
import { VISITOR } from '#domain/permissions.ts';
import { PHOTO_LIMIT_BYTES } from '#domain/profile.ts';
import { RUNS_ALL } from '#scripts/test/test-selection.ts';
import { saveWithPhoto } from '#server/entities/photos.ts';
import { submitProfile } from '#server/features/checkouts/submit-profile.ts';
import { sendStoryEmail } from '#server/features/stories/send-story-email.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import type { Pictures } from '#server/gateways/pictures/pictures.ts';
import { buildTestApp } from '#test/support/build-app.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createProfileForm, type ProfileParts, STORY } from '#test/support/builders/profile-form.ts';
import { listenLocally } from '#test/support/card-provider.ts';
import { DAY, HOUR } from '#test/support/clock.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { createFailingDatabase } from '#test/support/failing-database.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';

const jobs = createJobRecorder();
const setup: DonationSetup = await startDonationSetup({ jobs });
const { db, orgId, clock } = setup;
const photo = await sharp({ create: { width: 96, height: 64, channels: 3, background: '#466066' } })
  .jpeg()
  .toBuffer();

async function submit(
  checkoutId: string,
  parts: ProfileParts = { photo },
  { orgid: targetOrgId = orgId, base = setup.baseUrl, language = 'en' } = {},
) {
  const path = callPath('submitProfile', { orgid: targetOrgId, checkoutid: checkoutId });
  const response = await fetch(base + path, {
    method: 'PUT',
    headers: { 'x-requested-with': 'test', 'accept-language': language },
    body: createProfileForm({ checkoutId, ...parts }),
  });
  return { status: response.status, body: await response.json() };
}

/** Adds a paid checkout without making a payment. */
async function addPaidCheckout(targetOrgId = orgId): Promise<{ readonly id: string }> {
  return { id: await addCheckout(db, targetOrgId, { payment_status: 'paid', paid_at: clock.now() }) };
}

async function readOffsetters(checkoutId: string) {
  return db.kysely.selectFrom('offsetters').selectAll().where('checkout_id', '=', checkoutId).execute();
}

test('a paid gift becomes an offsetter everyone can read', async () => {
  const { id } = await setup.openAndPay();
  const { status, body } = await submit(id);
  expect(status).toBe(200);
  expect(body).toMatchObject({ _id: body.id, name: 'Dora Donor', story: STORY, status: 'published', shownAs: 'full' });
  expect(body.photo).toMatchObject({ width: 96, height: 64 });
  expect(body.profileURL).toBe(`/orgs/${orgId}/offsetters/${body.id}/`);
  const response = await setup.call('GET', `/api/orgs/${orgId}/offsetters/${body.id}`);
  expect(response.json()).toMatchObject({ name: 'Dora Donor', profileURL: body.profileURL });
  expect(response.body).not.toContain('dora@example.org');
  expect(await setup.readCheckout(id)).toMatchObject({
    isOver: true,
    completed: true,
    offsetterURL: body.profileURL,
    draft: null,
  });
  const [row] = await readOffsetters(id);
  expect(row).toMatchObject({ email: 'dora@example.org', user_id: null });
  expect(row?.last_offset_at).toEqual(clock.now());
});

// @spec decisions.7
test.each([
  ['Doy calor a familias vecinas.', 'es', 'es'],
  ['Warm homes, cooler planet, happy kids!', 'en', 'en'],
  [STORY, 'es', 'en'],
])('the language of %j from a page in %s is %s', async (story, language, expected) => {
  const { id } = await addPaidCheckout();
  const { status, body } = await submit(id, { photo, fields: { story } }, { language });
  expect([status, body.language]).toEqual([200, expected]);
  const response = await setup.call('GET', `/api/orgs/${orgId}/offsetters/${body.id}`);
  expect(response.json()).toMatchObject({ language: expected });
});

// @asvs 5.3.2 5.4.1
test('a photo’s file name affects neither its storage nor how it’s served', async () => {
  for (const fileName of ['../../evil.webp', 'a.svg', '/etc/passwd', 'a"; filename="b.html', 'a\\..\\b.php.jpg']) {
    const { id } = await addPaidCheckout();
    const { status, body } = await submit(id, { photo, fileName });
    expect([fileName, status, body.photo?.url]).toEqual([
      fileName,
      200,
      expect.stringMatching(/^\/media\/[\w-]{22}\/\d+\.webp$/),
    ]);
  }
});

test('form parts can come in any order and include the ids of the checkout and organization', async () => {
  const { id } = await addPaidCheckout();
  const fields = { checkoutId: undefined, checkoutid: id, orgid: orgId };
  expect((await submit(id, { photo, isPhotoFirst: true, fields })).status).toBe(200);
});

/** Runs a story's email jobs. @returns the emails they sent */
async function sendStoryEmails(id: string): Promise<Email[]> {
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  const storyJobs = jobs.findPayloads(sendStoryEmail).filter(({ offsetterId }) => offsetterId === id);
  for (const job of storyJobs) await sendStoryEmail.run({ ...setup.deps, mailer }, job);
  return sentEmails;
}

test('emails the author a link to a story that is published right away, even if it was edited since', async () => {
  const { body } = await submit((await addPaidCheckout()).id);
  await db.kysely
    .updateTable('offsetters')
    .set({ story: `${STORY} Edited.` })
    .where('id', '=', body.id)
    .execute();
  const [email, ...otherEmails] = await sendStoryEmails(body.id);
  expect([email?.to, otherEmails]).toEqual(['dora@example.org', []]);
  for (const part of [email?.text, email?.html]) expect(part).toContain(`https://fund.example${body.profileURL}`);
  await db.kysely.updateTable('offsetters').set({ status: 'hidden' }).where('id', '=', body.id).execute();
  expect(await sendStoryEmails(body.id)).toEqual([]);
  const hiddenStory = await submit((await addPaidCheckout()).id, { fields: { shownAs: 'none' } });
  expect(await sendStoryEmails(hiddenStory.body.id)).toEqual([]);
});

test('a story’s page, and nothing else, shows the total offset if the donor agreed', async () => {
  const offsetCart = [{ type: 'offset', offsetType: 'air', cost: 48.3, carbon: 3864 }] as const;
  const submitStory = async (showsPounds?: string) => {
    const offsetCheckout = await setup.openCheckout(offsetCart);
    await setup.provider.pay(offsetCheckout.paymentUrl);
    await setup.provider.deliverEvents();
    return (await submit(offsetCheckout.id, { photo, fields: { showsPounds } })).body;
  };
  const readStory = async (id: string) => (await setup.call('GET', `/api/orgs/${orgId}/offsetters/${id}`)).json();
  const [storyWithPounds, storyWithoutPounds, storyWithDefault] = [
    await submitStory('true'),
    await submitStory('false'),
    await submitStory(),
  ];
  expect(await readStory(storyWithPounds.id)).toMatchObject({ pounds: 3864 });
  for (const { id } of [storyWithoutPounds, storyWithDefault]) expect(await readStory(id)).not.toHaveProperty('pounds');
  expect((await setup.call('GET', `/api/orgs/${orgId}/offsetters`)).body).not.toContain('pounds');

  const newCheckout = await setup.openAndPay();
  await db.kysely
    .updateTable('checkouts')
    .set({ offsetter_id: storyWithPounds.id })
    .where('id', '=', newCheckout.id)
    .execute();
  const entries = db.kysely.selectFrom('ledger_entries').select('carbon').where('checkout_id', '=', newCheckout.id);
  const { carbon } = await entries.executeTakeFirstOrThrow();
  expect((await readStory(storyWithPounds.id)).pounds).toBe(3864 + carbon / 10_000);
});

test('a donor shown by first name appears that way everywhere and is stored with the full name', async () => {
  const { id } = await addPaidCheckout();
  const { body } = await submit(id, { photo, fields: { shownAs: 'first' } });
  expect(body.name).toBe('Dora');
  expect(JSON.stringify(body)).not.toContain('Donor');
  expect((await readOffsetters(id))[0]?.name).toBe('Dora Donor');
});

test('a hidden donor needs only an email, and nothing is shown', async () => {
  const { id } = await addPaidCheckout();
  const { status, body } = await submit(id, { fields: { shownAs: 'none', name: undefined, story: undefined } });
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'draft', photo: null });
  expect(await setup.readCheckout(id)).toMatchObject({ isOver: true, offsetterURL: null, draft: null });
  expect((await setup.call('GET', `/api/orgs/${orgId}/offsetters/${body.id}`)).statusCode).toBe(404);
});

test('without an email, the story gets the payment’s email', async () => {
  const { id } = await addPaidCheckout();
  await db.kysely.updateTable('checkouts').set({ email: 'paula@example.org' }).where('id', '=', id).execute();
  expect((await submit(id, { photo, fields: { email: undefined } })).status).toBe(200);
  expect((await readOffsetters(id))[0]?.email).toBe('paula@example.org');
});

test('with story review on, only the author sees the draft', async () => {
  const reviewingOrgId = await addOrg(db, { review_stories: true });
  const { id } = await addPaidCheckout(reviewingOrgId);
  const { body } = await submit(id, { photo }, { orgid: reviewingOrgId });
  expect(body.status).toBe('draft');
  const checkout = await setup.call('GET', `/api/orgs/${reviewingOrgId}/checkouts/${id}`);
  expect(checkout.json()).toMatchObject({ offsetterURL: null, draft: { name: 'Dora Donor', story: STORY } });
  expect((await setup.call('GET', `/api/orgs/${reviewingOrgId}/offsetters/${body.id}`)).statusCode).toBe(404);
});

const repeatLetter = (length: number) => 'a'.repeat(length);

test.each([
  ['email', '', 'no-email'],
  ['email', 'dora', 'invalid-email'],
  ['email', 'dora@example.org\r\nBcc: all@example.org', 'invalid-email'],
  ['name', '', 'no-name'],
  ['name', 'Do', 'name-too-short'],
  ['name', '  D  ', 'name-too-short'],
  ['name', repeatLetter(61), 'name-too-long'],
  ['name', 'Confirm at https://evil.example', 'text-with-address'],
  ['name', 'Dora\nYour account was suspended', 'text-unprintable'],
  ['name', 'Do\u0000ra', 'invalid-input'],
  ['story', '', 'no-story'],
  ['story', repeatLetter(25), 'story-too-short'],
  ['story', `${repeatLetter(25)}     `, 'story-too-short'],
  ['story', repeatLetter(10_001), 'story-too-long'],
  ['story', `${repeatLetter(30)}\u0000`, 'invalid-input'],
])('the %s %j is rejected as %s with an error for its field', async (field, value, code) => {
  const { id } = await addPaidCheckout();
  const { status, body } = await submit(id, { photo, fields: { [field]: value } });
  expect(body).toMatchObject({ code, field });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(await readOffsetters(id)).toEqual([]);
});

test('a story of 26 characters and a name of 3 are enough', async () => {
  const { id } = await addPaidCheckout();
  expect((await submit(id, { photo, fields: { name: 'Dor', story: repeatLetter(26) } })).status).toBe(200);
});

const REJECTED_PHOTOS: readonly (readonly [string, Buffer | undefined, number, string])[] = [
  ['no photo', undefined, 422, 'no-img'],
  ['an empty photo', Buffer.alloc(0), 422, 'no-img'],
  ['a 25 MB photo', Buffer.alloc(PHOTO_LIMIT_BYTES), 413, 'photo-too-large'],
  ['a text file named .jpg', Buffer.from('This is text, not a photo.'), 415, 'photo-format'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 415, 'photo-format'],
];
/** Sending many megabytes is slow. */
const LARGE_PHOTOS: typeof REJECTED_PHOTOS = [
  ['a photo one byte over 25 MB', Buffer.alloc(PHOTO_LIMIT_BYTES + 1), 413, 'photo-too-large'],
  ['a photo of 40 MB', Buffer.alloc(40_000_000), 413, 'photo-too-large'],
];

test.each([...REJECTED_PHOTOS, ...(RUNS_ALL ? LARGE_PHOTOS : [])])(
  'rejects %s, reports the field, and accepts a corrected form',
  async (_title, bytes, status, code) => {
    const { id } = await addPaidCheckout();
    expect(await submit(id, { photo: bytes })).toMatchObject({ status, body: { code, field: 'file' } });
    expect((await submit(id)).status).toBe(200);
  },
);

test.each([
  ['an unknown field', { fields: { admin: 'true' } }],
  ['an unknown display option', { fields: { shownAs: 'always' } }],
  ['a field far beyond any limit', { fields: { story: repeatLetter(500_000) } }],
])('a form with %s is rejected with a 400 and a sentence', async (_title, parts) => {
  const { id } = await addPaidCheckout();
  const { status, body } = await submit(id, { photo, ...parts });
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'invalid-input', detail: expect.stringMatching(/\w+ .*\.$/) });
});

// @asvs 15.3.7
test('a repeated field, two files, and a differently named file are rejected', async () => {
  const { id } = await addPaidCheckout();
  const extraParts: ((form: FormData) => void)[] = [
    (form) => form.append('name', 'Another'),
    (form) => form.append('file', new Blob(['more']), 'more.jpg'),
    (form) => form.append('portrait', new Blob(['more']), 'more.jpg'),
  ];
  for (const addPart of extraParts) {
    const body = createProfileForm({ checkoutId: id, photo });
    addPart(body);
    const path = callPath('submitProfile', { orgid: orgId, checkoutid: id });
    const response = await fetch(setup.baseUrl + path, {
      method: 'PUT',
      headers: { 'x-requested-with': 'test' },
      body,
    });
    expect(response.status).toBe(400);
  }
});

test('a form with a missing or different checkout id is rejected', async () => {
  const [{ id }, otherCheckout] = [await addPaidCheckout(), await addPaidCheckout()];
  const missingIdResponse = await submit(id, { photo, fields: { checkoutId: undefined } });
  expect(missingIdResponse).toMatchObject({ status: 422, body: { code: 'no-checkout-id', field: 'checkoutId' } });
  const wrongCheckoutResponse = await submit(id, { photo, fields: { checkoutId: otherCheckout.id } });
  expect(wrongCheckoutResponse).toMatchObject({ status: 400, body: { code: 'invalid-input', field: 'checkoutId' } });
  expect(await readOffsetters(id)).toEqual([]);
});

test('a request that isn’t a form is rejected', async () => {
  const { id } = await addPaidCheckout();
  const response = await setup.call('PUT', callPath('submitProfile', { orgid: orgId, checkoutid: id }), {
    name: 'Dora',
  });
  expect(response.statusCode).toBe(415);
});

// @asvs 2.3.1
test('a profile for an unpaid checkout is rejected', async () => {
  const { id } = await setup.openCheckout();
  expect(await submit(id)).toMatchObject({ status: 409, body: { code: 'checkout-not-paid' } });
});

test('a profile for an unknown checkout or organization is not found', async () => {
  const { id } = await addPaidCheckout();
  expect(await submit('unknown')).toMatchObject({ status: 404, body: { code: 'checkout-not-found' } });
  expect(await submit(id, { photo }, { orgid: 'nowhere' })).toMatchObject({ body: { code: 'org-not-found' } });
  const otherOrg = await addOrg(db);
  expect(await submit(id, { photo }, { orgid: otherOrg })).toMatchObject({ body: { code: 'checkout-not-found' } });
});

test('the form closes after 24 hours, or after 30 days from the receipt link', async () => {
  const { id } = await setup.openAndPay();
  const { key } = await db.kysely
    .selectFrom('receipts')
    .select('key')
    .where('checkout_id', '=', id)
    .executeTakeFirstOrThrow();
  clock.advance(24 * HOUR + 1);
  expect(await setup.readCheckout(id)).toMatchObject({ isOver: true, needsCompletion: false });
  expect(await submit(id)).toMatchObject({ status: 409, body: { code: 'checkout-over' } });
  expect(await submit(id, { photo, fields: { receipt: 'x'.repeat(22) } })).toMatchObject({ status: 409 });
  expect(await setup.readCheckout(id, key)).toMatchObject({ isOver: false });
  expect((await submit(id, { photo, fields: { receipt: key } })).status).toBe(200);
  const lateCheckout = await setup.openAndPay();
  clock.advance(31 * DAY);
  expect(await setup.readCheckout(lateCheckout.id, key)).toMatchObject({ isOver: true });
});

test('the key of another receipt doesn’t reopen the form', async () => {
  const [ownCheckout, otherCheckout] = [await setup.openAndPay(), await setup.openAndPay()];
  const { key } = await db.kysely
    .selectFrom('receipts')
    .select('key')
    .where('checkout_id', '=', otherCheckout.id)
    .executeTakeFirstOrThrow();
  clock.advance(2 * DAY);
  expect(await setup.readCheckout(ownCheckout.id, key)).toMatchObject({ isOver: true });
});

test('resending a profile after a lost response returns the existing offsetter', async () => {
  const { id } = await addPaidCheckout();
  const first = await submit(id);
  const second = await submit(id, { photo, fields: { name: 'Somebody Else' } });
  expect(second.body).toEqual(first.body);
  expect(await readOffsetters(id)).toHaveLength(1);
});

test('a profile sent ten times simultaneously becomes one offsetter and leaves no extra photo', async () => {
  const storedFiles = new Set<string>();
  const { pictures } = setup.deps;
  const app = await buildTestApp({
    ...setup.deps,
    pictures: {
      ...pictures,
      store: async (bytes) => {
        const result = await pictures.store(bytes);
        if ('key' in result) storedFiles.add(result.key);
        return result;
      },
      discard: async (key) => {
        await pictures.discard(key);
        storedFiles.delete(key);
      },
    },
  });
  const base = await listenLocally(app);
  const { id } = await addPaidCheckout();
  const responses = await Promise.all(Array.from({ length: 10 }, () => submit(id, { photo }, { base })));
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const [row, ...otherRows] = await readOffsetters(id);
  expect(otherRows).toEqual([]);
  expect(new Set(responses.map(({ body }) => body.id))).toEqual(new Set([row?.id]));
  expect([...storedFiles]).toEqual([row?.photo?.key]);
});

test('a saved photo isn’t queried from the database again', async () => {
  let queryCount = 0;
  const db = {
    ...setup.db,
    get kysely() {
      queryCount += 1;
      return setup.db.kysely;
    },
  };
  expect(await saveWithPhoto({ ...setup.deps, db }, photo, async () => 'saved')).toBe('saved');
  expect(queryCount).toBe(0);
});

// @asvs 2.3.3
test('if the story can’t be saved, the photo is deleted', async () => {
  const removedKeys: string[] = [];
  const { id } = await addPaidCheckout();
  const pictures: Pictures = {
    ...setup.deps.pictures,
    store: async () => ({ key: 'unsaved', width: 1, height: 1, widths: [1] }),
    discard: async (key) => void removedKeys.push(key),
  };
  const fields = {
    checkoutId: id,
    email: 'dora@example.org',
    name: 'Dora',
    story: STORY,
    // The database rejects this value.
    shownAs: 'twice' as 'full',
    showsPounds: undefined,
    showsHomes: undefined,
  };
  const org = await setup.deps.findOrg(orgId);
  if (!org) throw new Error('no organization');
  const submission = submitProfile(
    { ...setup.deps, pictures },
    { org, checkoutId: id },
    { fields, photo },
    { actor: VISITOR, creatorHash: undefined, language: 'en' },
  );
  await expect(submission).rejects.toThrow();
  expect(removedKeys).toEqual(['unsaved']);
  expect(await readOffsetters(id)).toEqual([]);
  expect(await setup.readCheckout(id)).toMatchObject({ isOver: false, completed: false });
});

test.each([
  ['before', 0],
  ['right after', 1],
])(
  'if the database fails %s the story is saved, the profile can be resent, and no orphaned photo remains',
  async (_title, savedCount) => {
    const { id } = await addPaidCheckout();
    const storedFiles = new Set<string>();
    const discarding = Promise.withResolvers<void>();
    const pictures: Pictures = {
      ...setup.deps.pictures,
      store: async (bytes) => {
        const storedPhoto = await setup.deps.pictures.store(bytes);
        if ('key' in storedPhoto) storedFiles.add(storedPhoto.key);
        return storedPhoto;
      },
      discard: async (key) => {
        storedFiles.delete(key);
        discarding.resolve();
      },
    };
    const app = await buildTestApp({
      ...setup.deps,
      pictures,
      db: createFailingDatabase(setup.db, savedCount === 1),
    });
    const base = await listenLocally(app);
    expect(await submit(id, { photo }, { base })).toMatchObject({
      status: 503,
      body: { code: 'database-unavailable' },
    });
    expect(await readOffsetters(id)).toHaveLength(savedCount);
    if (savedCount === 0) await discarding.promise;
    expect((await submit(id, { photo }, { base })).status).toBe(200);
    const [row] = await readOffsetters(id);
    expect([...storedFiles]).toEqual([row?.photo?.key]);
  },
);

test('while photos can’t be stored, the story isn’t saved and can be submitted later', async () => {
  const { id } = await addPaidCheckout();
  const storage = { works: false };
  const { pictures } = setup.deps;
  const store: Pictures['store'] = async (bytes) =>
    storage.works ? pictures.store(bytes) : new Failure('photo-not-stored');
  const base = await listenLocally(await buildTestApp({ ...setup.deps, pictures: { ...pictures, store } }));
  const response = await submit(id, { photo }, { base });
  expect(response).toMatchObject({ status: 503, body: { code: 'photo-not-stored', field: 'file' } });
  expect(await setup.readCheckout(id)).toMatchObject({ isOver: false, completed: false });
  expect(await readOffsetters(id)).toEqual([]);
  storage.works = true;
  expect((await submit(id, { photo }, { base })).status).toBe(200);
});
