import { useState, useSyncExternalStore } from 'react';
import { emailFailure, type SelectedPhoto, SHOWN_AS } from '#domain/profile.ts';
import { m } from '#messages';
import { createStore } from '#web/browser/create-store.ts';
import { isRecord, parseJson } from '#web/browser/parse-json.ts';
import { getTabText, type TabText } from '#web/browser/safe-storage.ts';
import {
  appendProfileFields,
  listMissingFields,
  PROFILE_FIELDS,
  type ProfileProblems,
  type ProfileValues,
  readProfileTexts,
  validateProfile,
} from '#web/stories/profile-fields.tsx';
import { formatList } from '#web/ui/text.ts';
import type { CheckoutKey } from './use-polled-checkout.ts';

/** The form's values so far, without the photo. */
export type ProfileDraft = ProfileValues & { readonly email: string };

export const EMPTY_PROFILE: ProfileDraft = {
  email: '',
  ...readProfileTexts(() => ''),
  shownAs: 'full',
  showsPounds: false,
  showsHomes: false,
};

/** The fields that can be invalid, by API name (§7), in form order (§2). */
export const DRAFT_FIELDS = ['email', ...PROFILE_FIELDS] as const;

type DraftProblems = ProfileProblems & { readonly email?: string };

/** Lists a draft's problems by field (§5). @param hasEmail true if the payment's email is used for an empty field */
export function validateDraft(draft: ProfileDraft, photo: SelectedPhoto | undefined, hasEmail = false): DraftProblems {
  const email = hasEmail && draft.email.trim() === '' ? undefined : emailFailure(draft.email);
  return { ...(email ? { email: email.message } : {}), ...validateProfile(draft, photo) };
}

/** Lists the missing fields, as in "your name and a photo"; empty if the draft is complete. */
export function formatMissingFields(problems: DraftProblems): string {
  const email = problems.email === undefined ? [] : [m.profileNeedsEmail()];
  return formatList([...email, ...listMissingFields(problems, m.profileNeedsYourName())]);
}

/** Builds the multipart form of §7. */
export function buildProfileForm(
  { orgId, checkoutId, receiptKey }: CheckoutKey,
  draft: ProfileDraft,
  photo: File | undefined,
): FormData {
  const form = new FormData();
  form.set('checkoutId', checkoutId);
  form.set('orgid', orgId);
  form.set('email', draft.email);
  form.set('shownAs', draft.shownAs);
  if (receiptKey !== undefined) form.set('receipt', receiptKey);
  appendProfileFields(form, draft);
  // Append the photo last so the server reads all other fields first.
  if (photo) form.set('file', photo);
  return form;
}

/**
 * The draft of a checkout's profile. Everything except the photo survives a reload unless the tab's storage is disabled or full.
 * @param accountEmail replaces the typed email, which reappears when the donor logs out
 * @param donorName the name in the draft until the donor types a different one
 */
export function useProfileDraft(checkoutId: string, accountEmail: string | undefined, donorName: string) {
  const [store] = useState(() => createDraftStore(getDraftText(checkoutId)));
  const storedDraft = useSyncExternalStore(store.subscribe, store.draft, () => EMPTY_PROFILE);
  const [photo, setPhoto] = useState<File>();
  const [isNameEdited, setIsNameEdited] = useState(false);
  const namedDraft = isNameEdited || storedDraft.name !== '' ? storedDraft : { ...storedDraft, name: donorName };
  const draft = accountEmail === undefined ? namedDraft : { ...namedDraft, email: accountEmail };
  const change = (changes: Partial<ProfileDraft>) => {
    if (changes.name !== undefined) setIsNameEdited(true);
    store.change(changes);
  };
  return { draft, photo, change, setPhoto };
}

/** Reads storage on first use, because the server has none. */
export function createDraftStore(storage: TabText) {
  const { get, set, subscribe } = createStore<ProfileDraft | undefined>(undefined);
  let savedDraft: ProfileDraft | undefined;
  const draft = () => {
    savedDraft ??= parseDraft(storage.read()) ?? EMPTY_PROFILE;
    return get() ?? savedDraft;
  };
  return {
    draft,
    change: (changes: Partial<ProfileDraft>) => {
      const newDraft = { ...draft(), ...changes };
      storage.write(JSON.stringify(newDraft));
      set(newDraft);
    },
    subscribe,
  };
}

/** @returns undefined if the stored text isn't a draft */
export function parseDraft(text: string | null): ProfileDraft | undefined {
  const storedDraft = parseJson(text);
  if (!isRecord(storedDraft)) return undefined;
  const readText = (field: keyof ProfileDraft): string => {
    const value = storedDraft[field];
    return typeof value === 'string' ? value : '';
  };
  const shownAs = SHOWN_AS.find((candidate) => candidate === readText('shownAs')) ?? EMPTY_PROFILE.shownAs;
  return {
    email: readText('email'),
    ...readProfileTexts(readText),
    shownAs,
    showsPounds: storedDraft.showsPounds === true,
    showsHomes: storedDraft.showsHomes === true,
  };
}

const getDraftText = (checkoutId: string) => getTabText(`profile:${checkoutId}`);

export function forgetDraft(checkoutId: string): void {
  getDraftText(checkoutId).write(null);
}
