import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ACTION_TOAST_MILLISECONDS, TOAST_MILLISECONDS, ToastProvider, useToast } from '#web/ui/toast.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const getButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

function ToastButtons({ undo }: { undo: () => void }) {
  const toast = useToast();
  return (
    <>
      <Button onClick={() => toast('saved')}>Save</Button>
      <Button onClick={() => toast('Hidden', { label: 'Undo', run: undo })}>Hide</Button>
    </>
  );
}

test('a toast lasts 3 seconds, one with Undo lasts 10, and Undo closes it', () => {
  vi.useFakeTimers();
  const undo = vi.fn();
  render(
    <ToastProvider>
      <ToastButtons undo={undo} />
    </ToastProvider>,
  );
  const advanceTime = (milliseconds: number) =>
    act(() => {
      vi.advanceTimersByTime(milliseconds);
    });
  fireEvent.click(getButton('Save'));
  advanceTime(TOAST_MILLISECONDS - 1);
  const toast = screen.getByText('saved');
  // Unlike an output element, a div may contain the paragraph.
  expect(screen.getByRole('status').localName).toBe('div');
  expect(screen.getByRole('status').contains(toast)).toBe(true);
  advanceTime(1);
  expect(screen.queryByText('saved')).toBeNull();
  fireEvent.click(getButton('Hide'));
  advanceTime(ACTION_TOAST_MILLISECONDS - 1);
  fireEvent.click(getButton('Undo'));
  expect(undo).toHaveBeenCalledOnce();
  expect(screen.queryByText('Hidden')).toBeNull();
});

test('Undo returns focus to where it was', () => {
  render(
    <ToastProvider>
      <ToastButtons undo={() => {}} />
    </ToastProvider>,
  );
  getButton('Hide').focus();
  fireEvent.click(getButton('Hide'));
  getButton('Undo').focus();
  fireEvent.click(getButton('Undo'));
  expect(screen.queryByText('Hidden')).toBeNull();
  expect(document.activeElement).toBe(getButton('Hide'));
});

test('a toast appears in the top dialog, where its button can be pressed; when the dialog closes, the toast moves to the page', () => {
  vi.useFakeTimers();
  const RecordPage = () => {
    const [isOpen, setIsOpen] = useState(true);
    return (
      isOpen && (
        <Dialog title="Record" onClose={() => setIsOpen(false)}>
          <ToastButtons undo={() => {}} />
        </Dialog>
      )
    );
  };
  render(
    <ToastProvider>
      <RecordPage />
    </ToastProvider>,
  );
  const dialog = screen.getByRole('dialog');
  const [pageRegion] = screen.getAllByRole('status');
  fireEvent.click(getButton('Hide'));
  expect(dialog.contains(getButton('Undo'))).toBe(true);
  fireEvent.mouseEnter(screen.getByText('Hidden'));
  fireEvent.click(getButton('Close dialog'));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(pageRegion?.contains(getButton('Undo'))).toBe(true);
  act(() => {
    vi.advanceTimersByTime(ACTION_TOAST_MILLISECONDS);
  });
  expect(screen.queryByText('Hidden')).toBeNull();
});

test('the button of a toast follows the focused element in the focus order', () => {
  const showPopover = vi.fn();
  Object.defineProperty(HTMLElement.prototype, 'showPopover', { configurable: true, value: showPopover });
  onTestFinished(() => {
    Reflect.deleteProperty(HTMLElement.prototype, 'showPopover');
  });
  render(
    <ToastProvider>
      <ToastButtons undo={() => {}} />
    </ToastProvider>,
  );
  getButton('Hide').focus();
  fireEvent.click(getButton('Hide'));
  expect(showPopover).toHaveBeenCalledExactlyOnceWith({ source: getButton('Hide') });
});

test('a toast shown while its dialog closes appears on the page', () => {
  Object.defineProperty(HTMLElement.prototype, 'showPopover', {
    configurable: true,
    // Browsers throw this error too.
    value(this: HTMLElement) {
      if (!this.isConnected) throw new Error('The popover is disconnected.');
    },
  });
  onTestFinished(() => {
    Reflect.deleteProperty(HTMLElement.prototype, 'showPopover');
  });
  const SavePage = () => {
    const toast = useToast();
    const [isOpen, setIsOpen] = useState(true);
    const save = () => {
      toast('saved');
      setIsOpen(false);
    };
    return (
      isOpen && (
        <Dialog title="Name" onClose={save}>
          <p>Ada</p>
        </Dialog>
      )
    );
  };
  render(
    <ToastProvider>
      <SavePage />
    </ToastProvider>,
  );
  fireEvent.click(getButton('Close dialog'));
  expect(screen.getByRole('status').textContent).toBe('saved');
});
