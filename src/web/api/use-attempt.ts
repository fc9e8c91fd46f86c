import { useRef, useState } from 'react';
import { failureMessage } from './error-messages.ts';

export type Attempt = {
  readonly busy: boolean;
  /** User-facing message for the last run's failure. */
  readonly problem: string | undefined;
  /** Runs an action that may fail; ignored while one is running. @returns whether it succeeded */
  readonly run: (action: () => Promise<void>) => Promise<boolean>;
  readonly clear: () => void;
};

const IDLE = { busy: false, problem: undefined };

export function useAttempt(): Attempt {
  const [state, setState] = useState<Pick<Attempt, 'busy' | 'problem'>>(IDLE);
  // A second click can arrive before React has disabled the button.
  const busy = useRef(false);
  const run = async (action: () => Promise<void>): Promise<boolean> => {
    if (busy.current) return false;
    busy.current = true;
    setState({ busy: true, problem: undefined });
    try {
      await action();
      setState(IDLE);
      return true;
    } catch (error) {
      setState({ busy: false, problem: failureMessage(error) });
      return false;
    } finally {
      busy.current = false;
    }
  };
  return { ...state, run, clear: () => setState((previous) => ({ ...previous, problem: undefined })) };
}
