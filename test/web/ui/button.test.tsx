import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { SubmitEvent } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Button } from '#web/ui/button.tsx';

afterEach(cleanup);

const getButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

test('a busy button keeps focus and neither runs nor submits its form again', () => {
  const submit = vi.fn((event: SubmitEvent) => event.preventDefault());
  const press = vi.fn();
  const createForm = (busy: boolean) => (
    <form onSubmit={submit}>
      <Button type="submit" busy={busy} onClick={press}>
        Send
      </Button>
    </form>
  );
  const { rerender } = render(createForm(false));
  getButton('Send').focus();
  fireEvent.click(getButton('Send'));
  rerender(createForm(true));
  // In browsers, Enter in a field also clicks the button.
  fireEvent.click(getButton('Send'));
  expect([submit.mock.calls.length, press.mock.calls.length]).toEqual([1, 1]);
  expect(getButton('Send').getAttribute('aria-disabled')).toBe('true');
  expect(getButton('Send').disabled).toBe(false);
  expect(document.activeElement).toBe(getButton('Send'));
});
