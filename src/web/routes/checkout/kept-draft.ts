import { SHOWN_AS } from '#domain/profile.ts';
import { EMPTY_DRAFT, type ProfileDraft } from './profile-draft.ts';

/** Where what was typed for one checkout is kept over a reload. */
export type DraftStorage = { read(): string | null; write(text: string): void };

/** What is being typed for one checkout. */
export type DraftStore = {
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
