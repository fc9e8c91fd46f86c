import type { SubmitEvent } from 'react';

/** Handles a form's submission. Focuses the submit button, because the focused field is about to be disabled. */
export function handleSubmit(onSubmit: () => void): (event: SubmitEvent) => void {
  return (event) => {
    event.preventDefault();
    event.submitter?.focus();
    onSubmit();
  };
}
