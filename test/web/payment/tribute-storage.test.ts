// @spec 7.create-checkout
import { expect, test } from 'vitest';
import { createSharedText } from '#test/support/shared-text.ts';
import { createTributeStorage, NO_TRIBUTE, toTributeBody } from '#web/payment/tribute-storage.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const DAY = 24 * 60 * 60_000;
const ADA = { ...NO_TRIBUTE, kind: 'memory', name: 'Ada', wantsCard: true, email: 'grace@example.org' } as const;

function createStorage() {
  const shared = createSharedText();
  let now = NOON;
  const storage = createTributeStorage(shared.tab(), () => now);
  return {
    shared,
    storage,
    advanceTime: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

test('drafts expire after a day, and reads return the same object until the draft changes', () => {
  const { storage, shared, advanceTime } = createStorage();
  expect(storage.readDraft()).toBeUndefined();
  storage.save(ADA);
  expect(storage.readDraft()).toEqual(ADA);
  expect(storage.readDraft()).toBe(storage.readDraft());
  advanceTime(DAY + 1);
  expect(storage.readDraft()).toBeUndefined();
  storage.subscribe(() => {});
  expect(shared.text()).toBeNull();
});

test('a tribute belongs to one checkout and is restored if that checkout is canceled', () => {
  const { storage } = createStorage();
  storage.markSent('c1');
  storage.save(ADA);
  storage.markSent('c1');
  expect([storage.readDraft(), storage.readSent('c1'), storage.readSent('c2')]).toEqual([undefined, ADA, undefined]);
  storage.markSent('c2');
  storage.restore('c2');
  expect(storage.readDraft()).toBeUndefined();
  storage.restore('c1');
  expect([storage.readDraft(), storage.readSent('c1')]).toEqual([ADA, undefined]);
});

test('after payment, the browser stores no part of the card', () => {
  const { storage, shared } = createStorage();
  storage.save({ ...ADA, reader: 'Grace', message: 'Hello', signature: 'Dora' });
  storage.markSent('c1');
  storage.forgetCard('c2');
  expect(storage.readSent('c1')?.email).toBe(ADA.email);
  storage.forgetCard('c1');
  expect(storage.readSent('c1')).toEqual({ ...NO_TRIBUTE, kind: 'memory', name: 'Ada', wantsCard: true });
  expect(shared.text()).not.toMatch(/grace|Grace|Hello|Dora/);
});

test('listeners receive every change from this tab and others', () => {
  const shared = createSharedText();
  const [storage, otherTab] = [0, 1].map(() => createTributeStorage(shared.tab(), () => NOON));
  let callCount = 0;
  const stop = storage?.subscribe(() => {
    callCount += 1;
  });
  storage?.save(ADA);
  otherTab?.save(undefined);
  expect([callCount, storage?.readDraft()]).toEqual([2, undefined]);
  stop?.();
  otherTab?.save(ADA);
  expect(callCount).toBe(2);
});

test.each(['null', '{}', '{"draft":null,"time":1}', '{"draft":{},"time":"now"}', 'not JSON'])(
  'stored text in another format is ignored: %s',
  (text) => {
    const shared = createSharedText();
    shared.tab().write(text);
    expect(createTributeStorage(shared.tab(), () => NOON).readDraft()).toBeUndefined();
  },
);

test('the request includes a card only if the donor wants one', () => {
  expect(toTributeBody({ ...ADA, wantsCard: false })).toEqual({ kind: 'memory', name: 'Ada' });
  expect(toTributeBody(ADA)).toEqual({
    kind: 'memory',
    name: 'Ada',
    card: { email: 'grace@example.org', name: '', message: '', signature: '' },
  });
});
