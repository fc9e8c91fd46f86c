import { useState, useSyncExternalStore } from 'react';
import type { Failure } from '#domain/failures.ts';
import {
  type ChosenPhoto,
  emailFailure,
  nameFailure,
  photoFailure,
  SHOWN_AS,
  type ShownAs,
  STORY_MINIMUM,
  storyFailure,
} from '#domain/profile.ts';
import { listed } from '#web/ui/text.ts';
import type { CheckoutKey } from './watch-payment.ts';

/** What a donor has typed and chosen so far, as it stands in the fields. */
export type ProfileDraft = {
  readonly email: string;
  readonly name: string;
  readonly story: string;
  readonly shownAs: ShownAs;
};

export const EMPTY_DRAFT: ProfileDraft = { email: '', name: '', story: '', shownAs: 'full' };

/** The fields that can be wrong, by the names they are sent under (§7), in the order of the form (§2). */
export type ProfileField = 'email' | 'name' | 'story' | 'file';
export const PROFILE_FIELDS: readonly ProfileField[] = ['email', 'name', 'story', 'file'];

type ProfileProblems = Readonly<Partial<Record<ProfileField, string>>>;

/** The fields that are asked for: whoever is not to be shown owes an address alone (decisions §5). */
function fieldsAsked(shownAs: ShownAs): readonly ProfileField[] {
  return shownAs === 'none' ? ['email'] : PROFILE_FIELDS;
}

/** What keeps a profile from being submitted, by field, in words for its author (§5). */
export function profileProblems(draft: ProfileDraft, photo: ChosenPhoto | undefined): ProfileProblems {
  const failures: Readonly<Record<ProfileField, Failure | undefined>> = {
    email: emailFailure(draft.email),
    name: nameFailure(draft.name),
    story: storyFailure(draft.story),
    file: photoFailure(photo),
  };
  const found = fieldsAsked(draft.shownAs).flatMap((field) => {
    const failure = failures[field];
    return failure ? [[field, failure.message]] : [];
  });
  return Object.fromEntries(found);
}

const NEEDED: Readonly<Record<ProfileField, string>> = {
  email: 'your email address',
  name: 'your name',
  story: `a story of at least ${STORY_MINIMUM} characters`,
  file: 'a photo',
};

/** What is still to be filled in, as a list for people: "your name and a photo". Empty when nothing is. */
export function stillNeeded(problems: ProfileProblems): string {
  const fields = PROFILE_FIELDS.filter((field) => problems[field] !== undefined);
  return listed(fields.map((field) => NEEDED[field]));
}

/** Where what was typed for one checkout is kept over a reload. */
export type DraftStorage = { read(): string | null; write(text: string): void };

/** What is being typed for one checkout. */
type DraftStore = {
  readonly draft: () => ProfileDraft;
  readonly change: (part: Partial<ProfileDraft>) => void;
  /** Calls back at every change. @returns how to stop */
  readonly subscribe: (changed: () => void) => () => void;
};

/** The storage is first read when the draft is asked for: a page that is rendered on the server has none. */
export function createDraftStore(storage: DraftStorage): DraftStore {
  const subscribers = new Set<() => void>();
  let draft: ProfileDraft | undefined;
  const read = () => {
    draft ??= draftOfText(storage.read()) ?? EMPTY_DRAFT;
    return draft;
  };
  return {
    draft: read,
    change: (part) => {
      draft = { ...read(), ...part };
      storage.write(textOfDraft(draft));
      for (const changed of subscribers) changed();
    },
    subscribe: (changed) => {
      subscribers.add(changed);
      return () => subscribers.delete(changed);
    },
  };
}

/** The text that keeps a draft over a reload. The photo is not kept. */
export function textOfDraft({ email, name, story, shownAs }: ProfileDraft): string {
  return JSON.stringify({ email, name, story, shownAs });
}

/** The draft that a text keeps. The text may be anything: what cannot be read was not kept. */
export function draftOfText(text: string | null): ProfileDraft | undefined {
  const kept = parsed(text ?? '');
  if (typeof kept !== 'object' || kept === null) return undefined;
  const read = (field: keyof ProfileDraft): string => {
    const value: unknown = Reflect.get(kept, field);
    return typeof value === 'string' ? value : '';
  };
  const shownAs = SHOWN_AS.find((known) => known === read('shownAs')) ?? EMPTY_DRAFT.shownAs;
  return { email: read('email'), name: read('name'), story: read('story'), shownAs };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const keyOf = (checkoutId: string) => `profile:${checkoutId}`;

/** The storage of this tab. Where it is switched off or full, what is typed lasts as long as the page. */
function browserDraftStorage(checkoutId: string): DraftStorage {
  return {
    read: () => attempt(() => window.sessionStorage.getItem(keyOf(checkoutId))) ?? null,
    write: (text) => attempt(() => window.sessionStorage.setItem(keyOf(checkoutId), text)),
  };
}

/** To be called when the profile has arrived. */
export function forgetDraft(checkoutId: string): void {
  attempt(() => window.sessionStorage.removeItem(keyOf(checkoutId)));
}

function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

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

/** The multipart form of §7. Whoever is not to be shown sends an address alone (decisions §5). */
export function formOf(
  { orgid, checkoutid, receipt }: CheckoutKey,
  draft: ProfileDraft,
  photo: File | undefined,
): FormData {
  const form = new FormData();
  form.set('checkoutId', checkoutid);
  form.set('orgid', orgid);
  form.set('email', draft.email);
  form.set('shownAs', draft.shownAs);
  if (receipt !== undefined) form.set('receipt', receipt);
  if (draft.shownAs === 'none') return form;
  form.set('name', draft.name);
  form.set('story', draft.story);
  // Last, so that whoever reads the form knows all the rest before the bytes come.
  if (photo) form.set('file', photo);
  return form;
}
