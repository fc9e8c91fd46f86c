import { useEffect, useEffectEvent, useState } from 'react';
import { isRecord, parseJson } from '#web/browser/parse-json.ts';
import { getStoredText } from '#web/browser/stored-text.ts';
import { useSession } from './app-context.ts';
import { draftKey } from './drafts.ts';

type DraftOptions<Values extends object> = {
  /** Identifies the form, such as 'grant-' and the grant's id. */
  readonly name: string;
  /** JSON values. */
  readonly values: Values;
  /** The saved values when editing began. */
  readonly base: Values;
  readonly savedValues: Values;
  readonly isUnsaved: boolean;
  /** Replaces the form's values and their base. The base is older than the saved values if someone has saved since. */
  readonly restore: (values: Values, base: Values) => void;
};

export type Draft = {
  /** True if the form was filled with a draft that the person hasn't saved or discarded. */
  readonly isRestored: boolean;
  readonly discard: () => void;
  /** Must be called after saving. */
  readonly clear: () => void;
};

/**
 * Stores a form's unsaved values in this browser and restores them after a reload or login. Removed on save, discard,
 * or logout.
 */
export function useDraft<Values extends object>(options: DraftOptions<Values>): Draft {
  const { name, values, base, savedValues, isUnsaved } = options;
  const { uid } = useSession();
  // The draft's owner stays the same if the session ends or another person logs in.
  const [ownerUid] = useState(uid);
  const key = draftKey(ownerUid, name);
  const isOwner = uid === ownerUid;
  const [draft] = useState(() => parseDraft(getStoredText(key).read(), savedValues));
  const [isRestored, setIsRestored] = useState(draft !== undefined);
  const restore = useEffectEvent(() => {
    if (draft !== undefined) options.restore(draft.values, draft.base);
  });
  useEffect(() => restore(), []);
  const unsavedText = isUnsaved ? serializeDraft({ values, base }) : null;
  // The first run may clear the stored draft, which has been read by then. The next run stores the restored values again.
  useEffect(() => {
    if (isOwner) getStoredText(key).write(unsavedText);
  }, [isOwner, key, unsavedText]);
  const clear = () => {
    getStoredText(key).write(null);
    setIsRestored(false);
  };
  return {
    isRestored: isRestored && isUnsaved,
    clear,
    discard: () => {
      clear();
      options.restore(savedValues, savedValues);
    },
  };
}

type StoredDraft<Values extends object> = Pick<DraftOptions<Values>, 'values' | 'base'>;

export function serializeDraft<Values extends object>({ values, base }: StoredDraft<Values>): string {
  return JSON.stringify({ values, base });
}

/** @returns undefined if the text doesn't have values of this form, such as a draft from an earlier version */
export function parseDraft<Values extends object>(
  text: string | null,
  savedValues: Values,
): StoredDraft<Values> | undefined {
  const draft = parseJson(text);
  if (!isRecord(draft)) return undefined;
  const { values, base } = draft;
  if (JSON.stringify(values) === JSON.stringify(savedValues)) return undefined;
  return fitsForm(values, savedValues) && fitsForm(base, savedValues) ? { values, base } : undefined;
}

/** @returns whether every field has the type of the saved one */
function fitsForm<Values extends object>(draft: unknown, savedValues: Values): draft is Values {
  return (
    isRecord(draft) &&
    Object.entries(savedValues).every(
      ([field, value]) => typeof draft[field] === typeof value && Array.isArray(draft[field]) === Array.isArray(value),
    )
  );
}
