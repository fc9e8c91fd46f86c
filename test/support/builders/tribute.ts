import type { Insertable } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { addGift } from './gift.ts';

/** Adds a paid gift in honor of Ada Lovelace, whose card was emailed. @returns the checkout's id */
export async function addTributeGift(
  db: Database,
  orgId: string,
  overrides: Partial<Insertable<Tables['tributes']>> = {},
): Promise<string> {
  const { checkoutId } = await addGift(db, orgId);
  const createdAt = new Date('2026-03-14T09:30:00Z');
  await addTribute(db, {
    checkout_id: checkoutId,
    org_id: orgId,
    kind: 'honor',
    name: 'Ada Lovelace',
    card_email: 'ada@example.org',
    card_name: '',
    card_message: '',
    card_signature: '',
    card_status: 'sent',
    card_status_at: createdAt,
    ...overrides,
  });
  return checkoutId;
}

export async function addTribute(db: Database, tribute: Insertable<Tables['tributes']>): Promise<void> {
  await db.kysely.insertInto('tributes').values(tribute).execute();
}
