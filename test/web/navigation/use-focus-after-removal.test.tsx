import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useRef, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useFocusAfterRemoval } from '#web/navigation/use-focus-after-removal.ts';
import { Dialog } from '#web/ui/dialog.tsx';

afterEach(cleanup);

function Page({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  useFocusAfterRemoval(main);
  return (
    <main ref={main}>
      <h1 tabIndex={-1}>Account</h1>
      {children}
    </main>
  );
}

/** A button that disappears when it is pressed. */
function PassingButton({ name = 'Verify' }: { name?: string }) {
  const [isVisible, setIsVisible] = useState(true);
  return (
    isVisible && (
      <button type="button" onClick={() => setIsVisible(false)}>
        {name}
      </button>
    )
  );
}

function press(name: string): void {
  const button = screen.getByRole('button', { name });
  button.focus();
  fireEvent.click(button);
}

/** Waits until mutation observers and microtasks have run. */
const settle = () => new Promise((resolve) => setTimeout(resolve));
const getHeading = (name: string) => screen.getByRole('heading', { name });
const expectFocus = (name: string) => waitFor(() => expect(document.activeElement).toBe(getHeading(name)));

test('when the focused element disappears, focus moves to the heading of the page', async () => {
  render(
    <Page>
      <PassingButton />
    </Page>,
  );
  press('Verify');
  await expectFocus('Account');
});

test('when the focused element of a section disappears, focus moves to the heading of the section', async () => {
  render(
    <Page>
      <section aria-labelledby="homes">
        <h2 id="homes">Homes</h2>
        <PassingButton name="Show all homes" />
      </section>
    </Page>,
  );
  press('Show all homes');
  await expectFocus('Homes');
});

test('when the focused element of a dialog disappears, focus moves to the heading of the dialog', async () => {
  render(
    <Page>
      <Dialog title="Ada" onClose={() => {}}>
        <PassingButton />
      </Dialog>
    </Page>,
  );
  press('Verify');
  await expectFocus('Ada');
});

test('an element that loses focus before it disappears doesn’t move focus', async () => {
  render(
    <Page>
      <PassingButton />
    </Page>,
  );
  const button = screen.getByRole('button', { name: 'Verify' });
  button.focus();
  button.blur();
  await settle();
  fireEvent.click(button);
  await settle();
  expect(document.activeElement).toBe(document.body);
});

test('a focused button that is disabled while its row changes doesn’t move focus', async () => {
  const createPage = (status: string, disabled: boolean) => (
    <Page>
      <p key={status}>{status}</p>
      <button type="button" disabled={disabled}>
        Pay
      </button>
    </Page>
  );
  const { rerender } = render(createPage('Promised', false));
  screen.getByRole('button', { name: 'Pay' }).focus();
  // Simulates a browser that takes the focus from a disabled button.
  const activeElement = vi.spyOn(document, 'activeElement', 'get').mockReturnValue(document.body);
  rerender(createPage('Paid', true));
  await settle();
  activeElement.mockRestore();
  expect(document.activeElement).not.toBe(getHeading('Account'));
});
