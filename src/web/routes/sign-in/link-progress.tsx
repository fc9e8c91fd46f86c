import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';

type LinkProgressProps = {
  /** "Logging you in…" */
  text: string;
  problem: string | undefined;
  onRetry: () => void;
};

/** Shown while the code of an emailed link is redeemed. After a failure, the person can try again. */
export function LinkProgress({ text, problem, onRetry }: LinkProgressProps) {
  if (problem === undefined) return <output>{text}</output>;
  return (
    <>
      <Problem tone="box">{problem}</Problem>
      <Button wide onClick={onRetry}>
        {m.tryAgain()}
      </Button>
    </>
  );
}
