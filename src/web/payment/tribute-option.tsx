import { useState } from 'react';
import { m } from '#messages';
import type { FormError } from '#web/forms/form-errors.ts';
import { Checkbox } from '#web/ui/choice.tsx';
import { LazyPart, retryableImport, useLazyModule } from '#web/ui/lazy-part.tsx';
import type { CheckoutState } from './checkout-store.ts';
import styles from './tribute.module.css';
import { NO_TRIBUTE, type TributeDraft, tributeStorage, useTributeDraft } from './tribute-storage.ts';

const tributeFields = retryableImport(() => import('./tribute-fields.tsx'));

export type TributeControls = {
  readonly draft: TributeDraft | undefined;
  readonly change: (draft: TributeDraft | undefined) => void;
  /** Reason the tribute is invalid or was rejected by the server. */
  readonly error: FormError | undefined;
  /**
   * Validates the tribute before a checkout, and shows a problem at its field. @returns whether the tribute is valid
   */
  readonly validate: () => boolean;
  /** Reason the last checkout failed, unless the tribute caused the failure. */
  readonly problem: string | undefined;
};

type FailedCheckout = Pick<CheckoutState, 'error'> & { readonly clearError: () => void };

/** The tribute of an organization's next checkout. */
export function useTribute(orgId: string, checkout: FailedCheckout): TributeControls {
  const draft = useTributeDraft(orgId);
  const fields = useLazyModule(tributeFields, draft !== undefined);
  const [error, setError] = useState<FormError>();
  const isAboutTribute = checkout.error?.field?.startsWith('tribute.') === true && draft !== undefined;
  return {
    draft,
    change: (newDraft) => {
      tributeStorage(orgId).save(newDraft);
      setError(undefined);
      checkout.clearError();
    },
    error: error ?? (isAboutTribute ? checkout.error : undefined),
    validate: () => {
      // If the fields haven't loaded, the server validates the tribute.
      const newError = draft && fields.kind === 'loaded' ? fields.value.validateTribute(draft) : undefined;
      setError(newError);
      return newError === undefined;
    },
    problem: isAboutTribute ? undefined : checkout.error?.message,
  };
}

/** A checkbox that shows the tribute fields, which load on demand. */
export function TributeOption({ tribute: { draft, change, error } }: { tribute: TributeControls }) {
  const [lastDraft, setLastDraft] = useState(NO_TRIBUTE);
  const setIsTribute = (isTribute: boolean) => {
    if (draft) setLastDraft(draft);
    change(isTribute ? lastDraft : undefined);
  };
  return (
    <div>
      <Checkbox checked={draft !== undefined} onChange={({ currentTarget }) => setIsTribute(currentTarget.checked)}>
        <span className={styles.option}>{m.tributeGive()}</span>
      </Checkbox>
      {draft && (
        <LazyPart module={tributeFields}>
          {({ TributeFields }) => <TributeFields draft={draft} onDraft={change} error={error} />}
        </LazyPart>
      )}
    </div>
  );
}
