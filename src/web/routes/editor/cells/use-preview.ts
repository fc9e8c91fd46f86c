import { useEffect, useState } from 'react';
import type { Answer } from '#contract/schemas.ts';
import { failedSentence } from '#web/api/api-error.ts';
import type { ApiClient } from '#web/api/client.ts';

export type TextParams = { readonly orgid: string; readonly page: string; readonly name: string };

export type Preview = {
  /** What visitors would see; while a newer one is asked for, the one before it. */
  readonly shown: Answer<'previewCell'>;
  /** Why what is typed cannot be shown, and could not be saved. */
  readonly problem: string | undefined;
};

const EMPTY: Preview = { shown: { html: '', hasForeignPictures: false }, problem: undefined };
/** So long after the last key: nobody reads while typing, and the server need not render every letter. */
const QUIET_MS = 250;

/** What visitors would see of a text, by the very renderer that shows it to them. @param html of the text to begin with */
export function usePreview(api: ApiClient, params: TextParams, text: string, html: string): Preview {
  const [preview, setPreview] = useState<Preview>({ shown: { html, hasForeignPictures: false }, problem: undefined });
  const { orgid, page, name } = params;
  const isEmpty = text.trim() === '';
  useEffect(() => {
    const stopping = new AbortController();
    const ask = async () => {
      try {
        const { signal } = stopping;
        const shown = await api.call('previewCell', {
          params: { orgid, page, name },
          body: { markdown: text },
          signal,
        });
        setPreview({ shown, problem: undefined });
      } catch (error) {
        if (stopping.signal.aborted) return;
        setPreview((before) => ({ ...before, problem: failedSentence(error) }));
      }
    };
    if (isEmpty) return undefined;
    const timer = setTimeout(() => void ask(), QUIET_MS);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [api, orgid, page, name, text, isEmpty]);
  return isEmpty ? EMPTY : preview;
}
