import { useState } from 'react';
import { m } from '#messages';
import type { Refusal } from '#web/api/refusal.ts';
import { Checkbox } from '#web/ui/choice.tsx';
import { LazyPart, lazyModule, useLazyModule } from '#web/ui/lazy-part.tsx';
import type { CheckoutState } from './checkout-store.ts';
import styles from './tribute.module.css';
import { NO_TRIBUTE, type TributeDraft, tributeStorage, useTributeDraft } from './tribute-storage.ts';

const tributeFields = lazyModule(() => import('./tribute-fields.tsx'));

export type TributeChoice = {
  readonly draft: TributeDraft | undefined;
  readonly change: (draft: TributeDraft | undefined) => void;
  /** Why it cannot be sent like this, or why it was refused. */
  readonly refusal: Refusal | undefined;
  /** Validates before a checkout and shows a problem at its field. @returns whether the tribute is valid */
  readonly check: () => boolean;
  /** Why the last checkout failed, if not for the tribute. */
  readonly problem: string | undefined;
};

type FailedCheckout = Pick<CheckoutState, 'problem' | 'problemField'> & { readonly clearProblem: () => void };

/** In whose honor or memory the next checkout of an organization is. */
export function useTribute(orgId: string, { problem, problemField, clearProblem }: FailedCheckout): TributeChoice {
  const draft = useTributeDraft(orgId);
  const fields = useLazyModule(tributeFields);
  const [refusal, setRefusal] = useState<Refusal>();
  const isAboutTribute = problemField?.startsWith('tribute.') === true && draft !== undefined;
  return {
    draft,
    change: (changed) => {
      tributeStorage(orgId).save(changed);
      setRefusal(undefined);
      clearProblem();
    },
    refusal: refusal ?? (isAboutTribute ? { field: problemField, message: problem ?? '' } : undefined),
    check: () => {
      // The fields are still loading. If they fail to load, the server validates the tribute.
      if (draft && fields.kind === 'waiting') return false;
      const found = draft && fields.kind === 'here' ? fields.part.tributeRefusal(draft) : undefined;
      setRefusal(found);
      return found === undefined;
    },
    problem: isAboutTribute ? undefined : problem,
  };
}

/** A checkbox, and behind it the fields, which are loaded when they are wanted. */
export function TributeOption({ tribute: { draft, change, refusal } }: { tribute: TributeChoice }) {
  const [dropped, setDropped] = useState(NO_TRIBUTE);
  const choose = (wanted: boolean) => {
    if (draft) setDropped(draft);
    change(wanted ? dropped : undefined);
  };
  return (
    <div>
      <Checkbox checked={draft !== undefined} onChange={({ currentTarget }) => choose(currentTarget.checked)}>
        <span className={styles.option}>{m.tributeGive()}</span>
      </Checkbox>
      {draft && (
        <LazyPart of={tributeFields}>
          {({ TributeFields }) => <TributeFields draft={draft} onDraft={change} refusal={refusal} />}
        </LazyPart>
      )}
    </div>
  );
}
