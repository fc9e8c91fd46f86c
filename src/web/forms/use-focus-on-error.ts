import { type RefObject, useEffect, useRef } from 'react';
import type { FormError } from './form-errors.ts';

/**
 * Focuses a form's first invalid field after each failed attempt.
 * @param error a new object for each failure
 * @returns a ref for the form
 */
export function useFocusOnError<Form extends HTMLElement = HTMLFormElement>(
  error: FormError | undefined,
): RefObject<Form | null> {
  const form = useRef<Form>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]')?.focus();
  }, [error]);
  return form;
}
