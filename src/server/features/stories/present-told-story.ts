import type { ToldStory } from '#contract/schemas/told-stories.ts';
import type { ToldKind } from '#domain/story-publication.ts';
import { presentProfile } from '#server/profiles/present-profile.ts';
import type { ToldRow } from './told-stories.store.ts';

/** An awardee or an installer for the editors of its organisation. */
export function presentToldStory(kind: ToldKind, row: ToldRow): ToldStory {
  return {
    ...presentProfile({ ...row, shown_as: 'full' }, { kind, orgId: row.org_id }),
    status: row.status,
    consent: kind === 'awardee' ? consentOf(row) : null,
  };
}

function consentOf({ consented_at, consent_revoked_at, recorder }: ToldRow): ToldStory['consent'] {
  const at = consented_at ?? consent_revoked_at;
  return { given: consented_at !== null, at: at?.toISOString() ?? null, by: recorder };
}
