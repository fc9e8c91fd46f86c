import { useState, useSyncExternalStore } from 'react';
import { browserDraftStorage } from './draft-storage.ts';
import { createDraftStore } from './kept-draft.ts';
import { EMPTY_DRAFT } from './profile-draft.ts';

export type ProfileDraftState = ReturnType<typeof useProfileDraft>;

/** What a donor types for a checkout. It survives a reload of the tab, the photo excepted. */
export function useProfileDraft(checkoutId: string) {
  const [store] = useState(() => createDraftStore(browserDraftStorage(checkoutId)));
  const draft = useSyncExternalStore(store.subscribe, store.draft, () => EMPTY_DRAFT);
  const [photo, choosePhoto] = useState<File>();
  return { draft, photo, change: store.change, choosePhoto };
}
