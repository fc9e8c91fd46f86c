import type { ChangeEvent } from 'react';
import { fillSentence } from '#domain/failures.ts';
import { visibleLength } from '#domain/profile.ts';
import { listTributeFailures, MAX_CARD_MESSAGE_LENGTH, type TributeKind, tributePrefix } from '#domain/tribute.ts';
import { TRIBUTE_FAILURES } from '#domain/tribute-failures.ts';
import { m } from '#messages';
import type { FormError } from '#web/forms/form-errors.ts';
import { useFocusOnError } from '#web/forms/use-focus-on-error.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import visuallyHidden from '#web/ui/visually-hidden.module.css';
import styles from './tribute.module.css';
import { type TributeDraft, toTributeBody } from './tribute-storage.ts';

type TributeFieldsProps = {
  draft: TributeDraft;
  onDraft: (draft: TributeDraft) => void;
  errors: readonly FormError[];
  /** The first error of a failed attempt; a new object for each attempt. */
  attemptError: FormError | undefined;
};

const KINDS = (['honor', 'memory'] as const).map((value) => ({ value, label: tributePrefix(value) }));

/** Fields for the honored person and for the card that announces the gift. */
export function TributeFields({ draft, onDraft, errors, attemptError }: TributeFieldsProps) {
  const fieldset = useFocusOnError<HTMLFieldSetElement>(attemptError);
  const errorOf = (name: string) => errors.find(({ field }) => field === name)?.message;
  const fieldProps = (name: 'name' | 'email' | 'reader' | 'message' | 'signature') => ({
    name: API_FIELD_NAMES[name],
    value: draft[name],
    error: errorOf(API_FIELD_NAMES[name]),
    // The fields are about another person, so the browser must not fill in the donor's data.
    autoComplete: 'off',
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onDraft({ ...draft, [name]: value }),
  });
  const chooseKind = (kind: TributeKind) => onDraft({ ...draft, kind });
  return (
    <fieldset ref={fieldset} className={styles.fields}>
      {/* Visually hidden, because the checkbox above has the same text. */}
      <legend className={visuallyHidden.hidden}>{m.tributeTitle()}</legend>
      <ChoiceGroup
        legend={m.tributeGiftIs()}
        layout="row"
        options={KINDS}
        value={draft.kind}
        error={errorOf('tribute.kind')}
        onChange={chooseKind}
      />
      <TextField label={m.tributeName()} hint={m.tributeNameHint()} {...fieldProps('name')} />
      <Checkbox
        checked={draft.wantsCard}
        onChange={({ currentTarget }) => onDraft({ ...draft, wantsCard: currentTarget.checked })}
      >
        {m.tributeWantsCard()}
      </Checkbox>
      {draft.wantsCard && (
        <>
          <TextField
            label={m.tributeEmail()}
            type="email"
            hint={draft.kind === 'memory' ? m.tributeEmailHint() : undefined}
            {...fieldProps('email')}
          />
          <TextField label={m.tributeReader()} hint={m.tributeReaderHint()} {...fieldProps('reader')} />
          <TextArea label={m.tributeMessage()} rows={4} hint={messageHint(draft.message)} {...fieldProps('message')} />
          <TextField label={m.tributeSigned()} hint={m.tributeSignedHint()} {...fieldProps('signature')} />
          <p className={styles.note}>{m.tributeCardNote()}</p>
        </>
      )}
    </fieldset>
  );
}

/** Field names in the API. */
const API_FIELD_NAMES = {
  name: 'tribute.name',
  email: 'tribute.card.email',
  reader: 'tribute.card.name',
  message: 'tribute.card.message',
  signature: 'tribute.card.signature',
} as const;

function messageHint(message: string): string {
  const length = visibleLength(message);
  return length === 0
    ? m.tributeMessageHint({ max: String(MAX_CARD_MESSAGE_LENGTH) })
    : m.charactersOf({ length: String(length), max: String(MAX_CARD_MESSAGE_LENGTH) });
}

/** Lists a tribute's invalid fields with the server's rules, but before the payment page opens. */
export function validateTribute(draft: TributeDraft): FormError[] {
  const errors = listTributeFailures(toTributeBody(draft)).map(({ code, details, message }) => {
    const definition = Object.entries(TRIBUTE_FAILURES).find(([tributeCode]) => tributeCode === code)?.[1];
    return {
      field: String(details.field),
      message: definition ? fillSentence(definition.sentence, details) : message,
    };
  });
  return draft.kind === undefined ? [{ field: 'tribute.kind', message: m.chooseOne() }, ...errors] : errors;
}
