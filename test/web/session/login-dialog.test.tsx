import { act, cleanup, render, screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApiClient } from '#web/api/client.ts';
import { SIGNED_OUT } from '#web/session/session.ts';

test('the login dialog links to the login page in the language of the page', async () => {
  vi.resetModules();
  vi.doMock('#messages', async (loadMessages) => ({ ...(await loadMessages<object>()), LANGUAGE: 'es' }));
  onTestFinished(() => {
    cleanup();
    vi.doUnmock('#messages');
    vi.resetModules();
  });
  const { OpenDialogs } = await import('#web/session/open-dialogs.tsx');
  const { requestLogin } = await import('#web/session/login-dialog.tsx');
  const { createPageContext, wrapInPublicPage } = await import('#test/support/render-element.ts');
  render(wrapInPublicPage(<OpenDialogs />, createPageContext()));
  const person = { ...SIGNED_OUT, authenticated: true, uid: 'ada', email: 'ada@example.org' };
  await act(async () => {
    void requestLogin({ api: createApiClient(), person, signal: new AbortController().signal });
  });
  expect(screen.getByRole('link', { name: 'Log in on another page' }).getAttribute('href')).toBe('/es/login');
});
