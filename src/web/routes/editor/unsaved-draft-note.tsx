import type { Draft } from '#web/session/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';

type UnsavedDraftNoteProps = {
  className?: string | undefined;
  /** Undefined if the form already contains the draft. */
  onResume?: () => void;
  onDiscard: () => void;
};

/** A note that this browser has an unsaved draft. */
export function UnsavedDraftNote({ className, onResume, onDiscard }: UnsavedDraftNoteProps) {
  return (
    <Cluster gap={onResume ? 3 : 2} className={className} role="status">
      We kept what you typed.
      {onResume && (
        <Button kind="outline" onClick={onResume}>
          Resume
        </Button>
      )}
      <Button kind="quiet" onClick={onDiscard}>
        Discard
      </Button>
    </Cluster>
  );
}

/** Offers to discard a draft that was restored into the form. */
export function DraftNote({ draft: { isRestored, discard } }: { draft: Draft }) {
  return isRestored && <UnsavedDraftNote onDiscard={discard} />;
}
