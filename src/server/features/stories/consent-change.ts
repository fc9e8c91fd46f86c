import type { ToldFields } from '#contract/schemas/told-stories.ts';
import type { ToldRow } from './told-stories.store.ts';

type Recording = { readonly editorId: string; readonly at: Date };

/** What is written down of a consent that is given or revoked; nothing where it stays as it was recorded. */
export function consentChange(
  { consented_at }: Pick<ToldRow, 'consented_at'>,
  consent: ToldFields['consent'],
  { editorId, at }: Recording,
) {
  const isGiven = consented_at !== null;
  if (consent === undefined || (consent === 'true') === isGiven) return {};
  return isGiven
    ? { consented_at: null, consent_revoked_at: at, consent_recorded_by: editorId }
    : { consented_at: at, consent_revoked_at: null, consent_recorded_by: editorId };
}
