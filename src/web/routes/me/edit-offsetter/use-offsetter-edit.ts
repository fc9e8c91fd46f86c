import { useRef, useState } from 'react';
import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import type { ApiClient } from '#web/api/client.ts';
import { failedSentence, type Refusal, refusalOf } from '#web/api/refusal.ts';
import {
  draftOf,
  formOf,
  isChanged,
  OFFSETTER_FIELDS,
  type OffsetterDraft,
  type OffsetterField,
} from './offsetter-draft.ts';

export type OffsetterKey = { readonly orgid: string; readonly offsetterid: string };

type EditState = {
  /** How much is sent, from 0 to 1; nothing while nothing is being sent. */
  readonly sent: number | undefined;
  readonly refusal: Refusal<OffsetterField> | undefined;
};

const RESTING: EditState = { sent: undefined, refusal: undefined };

/** What is typed into the edit form, and how it is saved. */
export function useOffsetterEdit(api: ApiClient, params: OffsetterKey, loaded: EditableOffsetter) {
  const [saved, setSaved] = useState(loaded);
  const [draft, setDraft] = useState<OffsetterDraft>(() => draftOf(loaded));
  const [photo, setPhoto] = useState<File>();
  const [state, setState] = useState(RESTING);
  // Two clicks can come before the first is drawn as a disabled button.
  const busy = useRef(false);

  const mend = (field: OffsetterField) =>
    setState((before) => ((before.refusal?.field ?? field) === field ? { ...before, refusal: undefined } : before));
  const change = (part: Partial<OffsetterDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    if (part.name !== undefined) mend('name');
    if (part.story !== undefined) mend('story');
  };
  const choosePhoto = (chosen: File | undefined) => {
    setPhoto(chosen);
    mend('file');
  };
  /** @returns the offsetter as it was saved; nothing where it was refused, which the form then says */
  const save = async (): Promise<EditableOffsetter | undefined> => {
    if (busy.current) return undefined;
    busy.current = true;
    setState({ sent: 0, refusal: undefined });
    try {
      const form = formOf(params.orgid, draft, photo);
      const onProgress = (sent: number) => setState({ sent, refusal: undefined });
      const answer = await api.upload('editOffsetter', { params, form, onProgress });
      setSaved(answer);
      setDraft(draftOf(answer));
      setPhoto(undefined);
      setState(RESTING);
      return answer;
    } catch (error) {
      // Saving twice is saving once: what was lost on the way can simply be sent again.
      const lost = { field: undefined, message: failedSentence(error) };
      setState({ sent: undefined, refusal: refusalOf(error, OFFSETTER_FIELDS) ?? lost });
      return undefined;
    } finally {
      busy.current = false;
    }
  };
  const isUnsaved = isChanged(draft, draftOf(saved), photo);
  return { saved, draft, photo, ...state, isUnsaved, change, choosePhoto, save };
}

export type OffsetterEdit = ReturnType<typeof useOffsetterEdit>;
