import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import type { Actor } from '#domain/permissions.ts';
import { presentProfile } from '#server/profiles/present-profile.ts';
import type { OffsetterRow } from './offsetters.store.ts';

/** An offsetter for its owner and for admins: with the whole name, whether it is shown or not. */
export function presentOwnOffsetter(row: OffsetterRow, actor: Actor): EditableOffsetter {
  return {
    ...presentProfile(row, { kind: 'offsetter', orgId: row.org_id }),
    name: row.name,
    shownAs: row.shown_as,
    status: row.status,
    mine: isOwner(row, actor),
  };
}

/** An address that is not proven owns nothing (decisions §4). */
export function isOwner({ user_id }: Pick<OffsetterRow, 'user_id'>, actor: Actor): boolean {
  return actor.kind === 'user' && actor.emailVerified && actor.userId === user_id;
}
