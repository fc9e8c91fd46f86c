import type { Kysely } from 'kysely';
import type { OrgId, UserId } from '#domain/ids.ts';
import { DEFAULT_EMAIL_CHOICES, type EmailChoices } from '#domain/team-emails.ts';
import type { Tables } from '#server/db/tables.ts';
import { findEmailChoices, upsertEmailChoices } from './team-emails.store.ts';

type Member = { readonly orgId: OrgId; readonly userId: UserId };

/** Reads a person's email choices for an organization, or the defaults. */
export async function readEmailChoices(db: Kysely<Tables>, member: Member): Promise<EmailChoices> {
  return (await findEmailChoices(db, member)) ?? DEFAULT_EMAIL_CHOICES;
}

export async function saveEmailChoices(
  db: Kysely<Tables>,
  member: Member,
  choices: EmailChoices,
): Promise<EmailChoices> {
  await upsertEmailChoices(db, member, choices, await readEmailChoices(db, member));
  return choices;
}
