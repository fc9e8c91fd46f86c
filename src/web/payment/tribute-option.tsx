import { useState } from 'react';
import { m } from '#messages';
import type { FormError } from '#web/forms/form-errors.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { LazyPart, retryableImport, useLazyModule } from '#web/ui/lazy-part.tsx';
import type { CheckoutState } from './checkout-store.ts';
import styles from './tribute.module.css';
import { NO_TRIBUTE, type TributeDraft, tributeStorage, useTributeDraft } from './tribute-storage.ts';

const tributeFields = retryableImport(() => import('./tribute-fields.tsx'));

export type TributeControls = {
  readonly draft: TributeDraft | undefined;
  readonly change: (draft: TributeDraft | undefined) => void;
  /** Problems of the fields, after a failed attempt to check out. */
  readonly errors: readonly FormError[];
  /** The first problem of the last attempt; a new object for each attempt. */
  readonly attemptError: FormError | undefined;
  /** Validates the tribute before a checkout, and shows each problem at its field. @returns whether the tribute is valid */
  readonly validate: () => boolean;
  /** Reason the last checkout failed, unless the tribute caused the failure. */
  readonly problem: string | undefined;
};

type FailedCheckout = Pick<CheckoutState, 'error'> & { readonly clearError: () => void };

/** The tribute of an organization's next checkout. */
export function useTribute(orgId: string, checkout: FailedCheckout): TributeControls {
  const draft = useTributeDraft(orgId);
  const fields = useLazyModule(tributeFields, draft !== undefined);
  const [invalidError, setInvalidError] = useState<FormError>();
  const isAboutTribute = checkout.error?.field?.startsWith('tribute.') === true && draft !== undefined;
  // If the fields haven't loaded, the server validates the tribute.
  const listErrors = () => (draft && fields.kind === 'loaded' ? fields.value.validateTribute(draft) : []);
  const rejections = isAboutTribute && checkout.error ? [checkout.error] : [];
  return {
    draft,
    change: (newDraft) => {
      tributeStorage(orgId).save(newDraft);
      if (!newDraft) setInvalidError(undefined);
      checkout.clearError();
    },
    // After a failed attempt, each problem disappears once its field is corrected.
    errors: invalidError ? [...listErrors(), ...rejections] : rejections,
    attemptError: invalidError ?? rejections[0],
    validate: () => {
      const [firstError] = listErrors();
      setInvalidError(firstError);
      return firstError === undefined;
    },
    problem: isAboutTribute ? undefined : checkout.error?.message,
  };
}

/** A checkbox that shows the tribute fields, which load on demand. */
export function TributeOption({ tribute: { draft, change, errors, attemptError } }: { tribute: TributeControls }) {
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
          {({ TributeFields }) => (
            <TributeFields draft={draft} onDraft={change} errors={errors} attemptError={attemptError} />
          )}
        </LazyPart>
      )}
    </div>
  );
}
