import { useRef, useState } from 'react';
import type { ApiClient } from '#web/api/client.ts';
import { failedSentence, refusalOf } from '#web/api/refusal.ts';

type UploadState = {
  /** How much is sent, from 0 to 1; nothing while nothing is being sent. */
  readonly sent: number | undefined;
  readonly problem: string | undefined;
};

const RESTING: UploadState = { sent: undefined, problem: undefined };

/** The photo that was chosen for the header, and how it is sent. */
export function useHeaderPhoto(api: ApiClient, orgid: string) {
  const [photo, setPhoto] = useState<File>();
  const [state, setState] = useState(RESTING);
  const busy = useRef(false);
  const choose = (chosen: File | undefined) => {
    setPhoto(chosen);
    setState(RESTING);
  };
  /** @returns whether it was uploaded */
  const upload = async (): Promise<boolean> => {
    if (busy.current || !photo) return false;
    busy.current = true;
    setState({ sent: 0, problem: undefined });
    try {
      const form = new FormData();
      form.set('file', photo);
      const onProgress = (sent: number) => setState({ sent, problem: undefined });
      await api.upload('replaceHeader', { params: { orgid }, form, onProgress });
      choose(undefined);
      return true;
    } catch (error) {
      setState({ sent: undefined, problem: refusalOf(error, ['file'])?.message ?? failedSentence(error) });
      return false;
    } finally {
      busy.current = false;
    }
  };
  return { photo, ...state, choose, upload };
}

export type HeaderPhoto = ReturnType<typeof useHeaderPhoto>;
