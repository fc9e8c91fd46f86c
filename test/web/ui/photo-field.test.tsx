import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { getSmallPhotoWarning } from '#web/routes/editor/org/header-photo.tsx';
import { PhotoField } from '#web/ui/photo-field.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the same photo can be chosen again', () => {
  render(<PhotoField photo={undefined} problem={undefined} onPhoto={() => {}} />);
  const field = screen.getByLabelText<HTMLInputElement>(/photo/i);
  const transfer = new DataTransfer();
  transfer.items.add(new File(['dots'], 'home.jpg', { type: 'image/jpeg' }));
  field.files = transfer.files;
  expect(field.value).not.toBe('');
  fireEvent.click(field);
  expect(field.value).toBe('');
});

test('a small photo is accepted with a warning', () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:photo', revokeObjectURL: () => {} }));
  const photo = new File(['dots'], 'city.jpg', { type: 'image/jpeg' });
  const { container } = render(
    <PhotoField photo={photo} problem={undefined} getWarning={getSmallPhotoWarning} onPhoto={() => {}} />,
  );
  const load = (width: number, height: number) => {
    const image = container.querySelector('img') ?? document.body;
    Object.defineProperties(image, {
      naturalWidth: { value: width, configurable: true },
      naturalHeight: { value: height, configurable: true },
    });
    fireEvent.load(image);
  };
  load(200, 120);
  expect(screen.getByRole('status').textContent).toContain('This photo is only 200 × 120 pixels');
  load(1920, 1080);
  expect(screen.getByRole('status').textContent).toBe('');
});
