import { useRef, useState } from 'react';
import { failedSentence } from './refusal.ts';

export type Attempt = {
  /** While it is under way. */
  readonly busy: boolean;
  /** What went wrong the last time, in words for a person. */
  readonly problem: string | undefined;
  /** Does something that may fail, one at a time. @returns whether it was done */
  readonly run: (action: () => Promise<void>) => Promise<boolean>;
  /** Takes back what is said of the last time. */
  readonly clear: () => void;
};

const RESTING = { busy: false, problem: undefined };

/** Something that a person has done by a press, and may have to try again. */
export function useAttempt(): Attempt {
  const [state, setState] = useState<Pick<Attempt, 'busy' | 'problem'>>(RESTING);
  // Two clicks can come before the first is drawn as a disabled button.
  const busy = useRef(false);
  const run = async (action: () => Promise<void>): Promise<boolean> => {
    if (busy.current) return false;
    busy.current = true;
    setState({ busy: true, problem: undefined });
    try {
      await action();
      setState(RESTING);
      return true;
    } catch (error) {
      setState({ busy: false, problem: failedSentence(error) });
      return false;
    } finally {
      busy.current = false;
    }
  };
  return { ...state, run, clear: () => setState((before) => ({ ...before, problem: undefined })) };
}
