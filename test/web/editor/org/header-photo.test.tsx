// @spec 2.org-settings
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { HeaderPhotoForm, useHeaderChange } from '#web/routes/editor/org/header-photo.tsx';
import { useApi } from '#web/session/app-context.ts';
import { ToastProvider } from '#web/ui/toast.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const PHOTO = { url: 'https://photos.example/old.webp', width: 1600, height: 900, sources: [] };

function HeaderPhoto({ photo = PHOTO }: { photo?: typeof PHOTO | null }) {
  const { header, upload, remove } = useHeaderChange({
    api: useApi(),
    orgId: 'hill',
    photo,
    onChanged: () => {},
  });
  return (
    <>
      <button type="button" onClick={() => header.choose(new File(['dots'], 'new.jpg', { type: 'image/jpeg' }))}>
        Choose
      </button>
      <HeaderPhotoForm photo={photo} header={header} onUpload={() => void upload()} onRemove={remove} />
    </>
  );
}

/** Presses Upload, with a server that doesn't respond to the download of the previous photo until the test does. */
async function uploadPhoto() {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:photo', revokeObjectURL: () => {} }));
  const download = Promise.withResolvers<Response>();
  const fetch = vi.fn((_url: string, _init?: RequestInit) => download.promise);
  vi.stubGlobal('fetch', fetch);
  const upload = vi.fn().mockResolvedValue({});
  const context = createPageContext();
  render(
    wrapInSignedInPage(
      <ToastProvider>
        <HeaderPhoto />
      </ToastProvider>,
      { api: { ...context.api, upload } },
    ),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Choose' }));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Upload' })));
  return { download, fetch, upload };
}

test('an upload shows its progress while the previous photo is downloaded, and can then be undone', async () => {
  const { download, upload } = await uploadPhoto();
  expect(screen.getByRole('button', { name: 'Uploading…' })).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: 'Upload' })).toBeTruthy();
  expect(upload).not.toHaveBeenCalled();
  await act(async () => download.resolve(new Response('old dots')));
  expect(upload).toHaveBeenCalledOnce();
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy();
});

test('a photo is uploaded even if downloading the previous one takes too long, but the upload can’t be undone', async () => {
  const timeout = new AbortController();
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
  const { download, fetch, upload } = await uploadPhoto();
  expect(limit).toHaveBeenCalledOnce();
  expect(fetch.mock.calls[0]?.[1]?.signal).toBe(timeout.signal);
  await act(async () => download.reject(new DOMException('Too slow', 'TimeoutError')));
  expect(upload).toHaveBeenCalledOnce();
  expect(screen.getByText('saved')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('the header photo is optional', () => {
  render(
    wrapInSignedInPage(
      <ToastProvider>
        <HeaderPhoto photo={null} />
      </ToastProvider>,
    ),
  );
  expect(screen.getByLabelText<HTMLInputElement>('Photo').required).toBe(false);
});

test('a photo that can’t be decoded has an error, no check mark, and can’t be uploaded', () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:photo', revokeObjectURL: () => {} }));
  const { container } = render(
    wrapInSignedInPage(
      <ToastProvider>
        <HeaderPhoto photo={null} />
      </ToastProvider>,
    ),
  );
  const camera = container.querySelector('svg')?.innerHTML;
  fireEvent.click(screen.getByRole('button', { name: 'Choose' }));
  const isUploadUnavailable = () =>
    screen.getByRole('button', { name: 'Upload' }).getAttribute('aria-disabled') === 'true';
  expect(isUploadUnavailable()).toBe(false);
  fireEvent.error(container.querySelector('img') ?? document.body);
  expect(screen.getByText('We couldn’t read this photo. Try another file.')).toBeTruthy();
  expect(container.querySelector('svg')?.innerHTML).toBe(camera);
  expect(isUploadUnavailable()).toBe(true);
});
