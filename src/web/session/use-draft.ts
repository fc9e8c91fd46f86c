import { useEffect, useEffectEvent, useState } from 'react';
import { parseJson } from '#web/browser/parse-json.ts';
import { getStoredText } from '#web/browser/stored-text.ts';
import { useSession } from './app-context.ts';
import { draftKey } from './drafts.ts';

type DraftOptions<Values extends object> = {
  /** Identifies the form, such as 'grant-' and the grant's id. */
  readonly name: string;
  /** JSON values. */
  readonly values: Values;
  readonly savedValues: Values;
  readonly isUnsaved: boolean;
  readonly setValues: (values: Values) => void;
};

export type Draft = {
  /** True if the form was filled with a draft that the person hasn't saved or discarded. */
  readonly isRestored: boolean;
  readonly discard: () => void;
  /** Call it after saving. */
  readonly clear: () => void;
};

/**
 * Stores a form's unsaved values in this browser and restores them after a reload or login. Removed on save, discard,
 * or logout.
 */
export function useDraft<Values extends object>(options: DraftOptions<Values>): Draft {
  const { name, values, savedValues, isUnsaved, setValues } = options;
  const { uid } = useSession();
  // The draft's owner stays the same if the session ends or another person logs in.
  const [ownerUid] = useState(uid);
  const key = draftKey(ownerUid, name);
  const isOwner = uid === ownerUid;
  const [draft] = useState(() => parseDraft(getStoredText(key).read(), savedValues));
  const [isRestored, setIsRestored] = useState(draft !== undefined);
  const restore = useEffectEvent(() => {
    if (draft !== undefined) setValues(draft);
  });
  useEffect(() => restore(), []);
  const unsavedText = isUnsaved ? JSON.stringify(values) : null;
  // Runs after the draft is read, and writes the restored values again.
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
      setValues(savedValues);
    },
  };
}

/** @returns undefined if the text doesn't have values of this form, such as a draft from an earlier version */
export function parseDraft<Values extends object>(text: string | null, savedValues: Values): Values | undefined {
  const draft = text === null ? undefined : parseJson(text);
  if (typeof draft !== 'object' || draft === null || JSON.stringify(draft) === JSON.stringify(savedValues))
    return undefined;
  const fields = Object.entries(draft);
  const fitsForm = Object.entries(savedValues).every(([field, value]) =>
    fields.some(
      ([name, draftValue]) =>
        name === field && typeof draftValue === typeof value && Array.isArray(draftValue) === Array.isArray(value),
    ),
  );
  // Every field has the type of the saved one.
  return fitsForm ? (draft as Values) : undefined;
}
