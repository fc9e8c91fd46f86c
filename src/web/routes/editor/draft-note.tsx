import type { Draft } from '#web/session/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';

/** Offers to discard a draft that was restored into the form. */
export function DraftNote({ draft }: { draft: Draft }) {
  if (!draft.isRestored) return null;
  return (
    <Cluster gap={2} role="status">
      We kept what you typed.
      <Button kind="quiet" onClick={draft.discard}>
        Discard
      </Button>
    </Cluster>
  );
}
