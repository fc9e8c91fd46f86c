import { useState, useSyncExternalStore } from 'react';
import { browserDraftStorage } from './draft-storage.ts';
import { createDraftStore } from './kept-draft.ts';
import { EMPTY_DRAFT } from './profile-draft.ts';

export type ProfileDraftState = ReturnType<typeof useProfileDraft>;

/**
 * What a donor types for a checkout. It survives a reload of the tab, the photo excepted.
 * @param ownEmail stands in the place of a typed address, which is kept for when the donor signs out
 */
export function useProfileDraft(checkoutId: string, ownEmail: string | undefined) {
  const [store] = useState(() => createDraftStore(browserDraftStorage(checkoutId)));
  const typed = useSyncExternalStore(store.subscribe, store.draft, () => EMPTY_DRAFT);
  const [photo, choosePhoto] = useState<File>();
  const draft = ownEmail === undefined ? typed : { ...typed, email: ownEmail };
  return { draft, photo, change: store.change, choosePhoto };
}
