import type { ComponentProps } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useAttempt } from './use-attempt.ts';

type ActionButtonProps = Omit<ComponentProps<typeof Button>, 'busy' | 'onClick'> & {
  action: () => Promise<unknown>;
};

/** A button that runs an action. If the action fails, the error appears after the button. */
export function ActionButton({ action, ...button }: ActionButtonProps) {
  const { run, busy, problem } = useAttempt();
  return (
    <>
      <Button {...button} busy={busy} onClick={() => void run(action)} />
      <Problem inline>{problem}</Problem>
    </>
  );
}
