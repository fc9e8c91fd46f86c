import { type ComponentProps, type SubmitEvent, useEffect } from 'react';
import type { FormError } from './form-errors.ts';
import { useFocusOnError } from './use-focus-on-error.ts';

type FormProps = Pick<ComponentProps<'form'>, 'id' | 'className' | 'aria-label' | 'aria-labelledby' | 'children'> & {
  error: FormError | undefined;
  /** True to focus the first field when the form's dialog opens. */
  focusesFirstField?: boolean;
  onSubmit: () => void;
};

/** A form that focuses its first invalid field after each failed attempt. */
export function Form({ error, focusesFirstField = false, onSubmit, ...rest }: FormProps) {
  const form = useFocusOnError(error);
  useEffect(() => {
    // On a phone, the keyboard would cover the text above the field.
    if (!focusesFirstField || !window.matchMedia('(pointer: fine)').matches) return;
    form.current
      ?.querySelector<HTMLElement>('input:not([type="radio"], [type="hidden"]), input:checked, textarea, select')
      ?.focus();
  }, [form, focusesFirstField]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // Focuses the submit button, because the focused field is about to be disabled.
    event.submitter?.focus();
    onSubmit();
  };
  return <form ref={form} onSubmit={submit} noValidate {...rest} />;
}
