// @spec 7.create-checkout
import { expect, test } from 'vitest';
import { sharedText } from '#test/support/shared-text.ts';
import { createTributeStorage, NO_TRIBUTE, tributeOfDraft } from '#web/payment/tribute-storage.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const DAY = 24 * 60 * 60_000;
const ADA = { ...NO_TRIBUTE, kind: 'memory', name: 'Ada', wantsCard: true, email: 'grace@example.org' } as const;

function createStorage() {
  const shared = sharedText();
  let now = NOON;
  const storage = createTributeStorage(shared.tab(), () => now);
  return {
    shared,
    storage,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

test('drafts are kept for a day, as the same object until they change', () => {
  const { storage, shared, pass: advanceTime } = createStorage();
  expect(storage.draft()).toBeUndefined();
  storage.save(ADA);
  expect(storage.draft()).toEqual(ADA);
  expect(storage.draft()).toBe(storage.draft());
  advanceTime(DAY + 1);
  expect(storage.draft()).toBeUndefined();
  storage.subscribe(() => {});
  expect(shared.text()).toBeNull();
});

test('a tribute belongs to one checkout and is restored if that checkout is canceled', () => {
  const { storage } = createStorage();
  storage.send('c1');
  storage.save(ADA);
  storage.send('c1');
  expect([storage.draft(), storage.sent('c1'), storage.sent('c2')]).toEqual([undefined, ADA, undefined]);
  storage.send('c2');
  storage.restore('c2');
  expect(storage.draft()).toBeUndefined();
  storage.restore('c1');
  expect([storage.draft(), storage.sent('c1')]).toEqual([ADA, undefined]);
});

test('after payment, the browser stores no part of the card', () => {
  const { storage, shared } = createStorage();
  storage.save({ ...ADA, reader: 'Grace', message: 'Hello', signature: 'Dora' });
  storage.send('c1');
  storage.forgetCard('c2');
  expect(storage.sent('c1')?.email).toBe(ADA.email);
  storage.forgetCard('c1');
  expect(storage.sent('c1')).toEqual({ ...NO_TRIBUTE, kind: 'memory', name: 'Ada', wantsCard: true });
  expect(shared.text()).not.toMatch(/grace|Grace|Hello|Dora/);
});

test('listeners receive every change from this tab and others', () => {
  const shared = sharedText();
  const [storage, otherTab] = [0, 1].map(() => createTributeStorage(shared.tab(), () => NOON));
  let callCount = 0;
  const stop = storage?.subscribe(() => {
    callCount += 1;
  });
  storage?.save(ADA);
  otherTab?.save(undefined);
  expect([callCount, storage?.draft()]).toEqual([2, undefined]);
  stop?.();
  otherTab?.save(ADA);
  expect(callCount).toBe(2);
});

test.each(['null', '{}', '{"draft":null,"time":1}', '{"draft":{},"time":"now"}', 'not JSON'])(
  'stored text in another format is ignored: %s',
  (text) => {
    const shared = sharedText();
    shared.tab().write(text);
    expect(createTributeStorage(shared.tab(), () => NOON).draft()).toBeUndefined();
  },
);

test('a card is sent only if one is wanted', () => {
  expect(tributeOfDraft({ ...ADA, wantsCard: false })).toEqual({ kind: 'memory', name: 'Ada' });
  expect(tributeOfDraft(ADA)).toEqual({
    kind: 'memory',
    name: 'Ada',
    card: { email: 'grace@example.org', name: '', message: '', signature: '' },
  });
});
