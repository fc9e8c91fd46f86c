import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import type { Draft } from './use-draft.ts';

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
      {m.draftKept()}
      {onResume && (
        <Button kind="outline" onClick={onResume}>
          {m.draftResume()}
        </Button>
      )}
      <Button kind="quiet" onClick={onDiscard}>
        {m.draftDiscard()}
      </Button>
    </Cluster>
  );
}

/** Offers to discard a draft that was restored into the form. */
export function DraftNote({ draft: { isRestored, discard } }: { draft: Draft }) {
  return isRestored && <UnsavedDraftNote onDiscard={discard} />;
}
