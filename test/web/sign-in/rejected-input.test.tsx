// @spec 8.sign-in decisions.4
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallName } from '#contract/calls.ts';
import type { Site } from '#contract/schemas/site.ts';
import { createPageContext, wrapInPublicPage } from '#test/support/render-element.ts';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { type ApiClient, createApiClient } from '#web/api/client.ts';
import { EmailSigninPage } from '#web/routes/sign-in/email-signin-page.tsx';
import { LoginPage } from '#web/routes/sign-in/login-page.tsx';
import { ResetPasswordPage } from '#web/routes/sign-in/reset-password-pages.tsx';
import { SecondStepPage } from '#web/routes/sign-in/second-step-page.tsx';
import { SignupPage } from '#web/routes/sign-in/signup-page.tsx';
import { requestConfirmation } from '#web/session/confirmation-dialog.tsx';
import { announceConfirmation } from '#web/session/google-confirmation.ts';
import { requestLogin } from '#web/session/login-dialog.tsx';
import { OpenDialogs } from '#web/session/open-dialogs.tsx';
import { SIGNED_OUT } from '#web/session/session.ts';

const PASSWORD = 'correct horse battery';
const CODE = '123456';
const FRAME = { org: undefined, site: { googleSignIn: false } as Site };

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  render(wrapInPublicPage(<OpenDialogs />, createPageContext()));
});
afterEach(() => {
  for (const dialog of screen.queryAllByRole('dialog')) fireEvent(dialog, new Event('cancel'));
  cleanup();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

const createProblem = (status: number, code: ApiProblem['code']) =>
  new ApiProblem({ status, code, detail: 'Try something else.', requestId: '' });

/** Failures after which the same input may succeed. */
const RETRYABLE_FAILURES = [
  ['no network', new OfflineError()],
  ['too many requests', createProblem(429, 'too-many-requests')],
  ['a server error', createProblem(503, 'database-unavailable')],
] as const;

/** Creates an API whose calls return these responses, or fail. */
function createApi(responses: Partial<Record<CallName, unknown>>): ApiClient {
  return {
    ...createApiClient(),
    call: async (name: CallName) => {
      const response = responses[name];
      if (response instanceof Error) throw response;
      return response as never;
    },
  };
}

const getButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const person = { ...SIGNED_OUT, authenticated: true, uid: 'ada', email: 'ada@example.org' };
const NO_FACTOR = { passkey: null, secondFactor: null };
const AUTHENTICATOR = { passkey: false, authenticator: true, recoveryCodes: false };

type Form = {
  /** Values that the form sends, keyed by field label. A rejection focuses the last field. */
  readonly values: Readonly<Record<string, string>>;
  readonly button: string;
  readonly open: (failure: Error) => Promise<unknown>;
};

const renderInPage = (element: Parameters<typeof wrapInPublicPage>[0], responses = {}) =>
  act(async () => render(wrapInPublicPage(element, { ...createPageContext(), api: createApi(responses) })));

const LOGIN_PAGE: Form = {
  values: { Email: person.email, Password: PASSWORD },
  button: 'Login',
  open: (signInWithPassword) =>
    renderInPage(<LoginPage {...FRAME} returnTo={undefined} googleFailed={false} />, { signInWithPassword }),
};

const FORMS: Readonly<Record<string, Form>> = {
  'the login page': LOGIN_PAGE,
  'the sign-up page': {
    values: { Email: person.email, Password: PASSWORD },
    button: 'Sign up',
    open: (signUp) => renderInPage(<SignupPage returnTo={undefined} />, { signUp }),
  },
  'the form for a new password': {
    values: { Password: PASSWORD },
    button: 'Save new password',
    open: (resetPassword) => renderInPage(<ResetPasswordPage code="c0de" />, { resetPassword }),
  },
  'an invitation': {
    values: { 'Your name': 'Ada' },
    button: 'Accept and log in',
    open: (acceptInvitation) =>
      renderInPage(<EmailSigninPage {...FRAME} code="c0de" returnTo={undefined} isInvitation />, {
        acceptInvitation,
        readInvitation: { role: 'money', orgName: 'Ithaca', invitedBy: 'Edith' },
      }),
  },
  'the second step': {
    values: { Code: CODE },
    button: 'Continue',
    open: (finishSecondStep) =>
      renderInPage(
        <SecondStepPage step={{ passkey: null, authenticator: true, recoveryCodes: false }} returnTo={undefined} />,
        { finishSecondStep },
      ),
  },
  'the login dialog': {
    values: { Password: PASSWORD },
    button: 'Log in',
    open: async (signInWithPassword) => {
      void requestLogin({ api: createApi({ signInWithPassword }), person, signal: new AbortController().signal });
    },
  },
  'the confirmation dialog': {
    values: { Password: PASSWORD },
    button: 'Confirm',
    open: async (confirmIdentity) => {
      const startConfirmation = { ...NO_FACTOR, methods: ['password'] };
      const api = createApi({ startConfirmation, confirmIdentity });
      void requestConfirmation({ api, person, requiresEmail: false });
    },
  },
};

async function submitForm({ values, button, open }: Form, failure: Error): Promise<void> {
  await act(() => open(failure));
  for (const [label, value] of Object.entries(values)) type(label, value);
  await act(async () => fireEvent.submit(getButton(button).form ?? document.body));
}

test.each(Object.entries(FORMS))(
  '%s focuses a rejected input, and doesn’t send it again until it changes',
  async (_name, form) => {
    await submitForm(form, createProblem(422, 'wrong-password'));
    const [label, value] = Object.entries(form.values).at(-1) ?? ['', ''];
    expect(document.activeElement).toBe(screen.getByLabelText(label));
    expect(getButton(form.button).disabled).toBe(true);
    type(label, `${value.slice(0, -1)}7`);
    expect(getButton(form.button).disabled).toBe(false);
  },
);

test('a rejected login can be sent again once the email changes in the form for a link', async () => {
  await submitForm(LOGIN_PAGE, createProblem(422, 'wrong-password'));
  expect(screen.getByText('Try something else.')).toBeTruthy();
  type('Email', 'bea@example.org');
  expect(screen.queryByText('Try something else.')).toBeNull();
  expect(getButton('Login').disabled).toBe(false);
});

test.each(
  Object.entries(FORMS).flatMap(([name, form]) =>
    RETRYABLE_FAILURES.map(([title, failure]) => [name, title, form, failure] as const),
  ),
)('%s can send the same input again after %s', async (_name, _title, form, failure) => {
  await submitForm(form, failure);
  expect(getButton(form.button).disabled).toBe(false);
});

async function confirmWithGoogle(confirmIdentity: Error): Promise<void> {
  const startConfirmation = { passkey: null, methods: ['google'], secondFactor: AUTHENTICATOR };
  const api = createApi({ startConfirmation, confirmIdentity });
  await act(async () => void requestConfirmation({ api, person, requiresEmail: false }));
  type('Code from your authenticator app', CODE);
  await act(async () => announceConfirmation());
  await screen.findByText('Try something else.');
}

test('a code rejected after confirming with Google must be changed before trying again', async () => {
  await confirmWithGoogle(createProblem(422, 'wrong-code'));
  expect(getButton('Continue with Google').disabled).toBe(true);
  type('Code from your authenticator app', '654321');
  expect(getButton('Continue with Google').disabled).toBe(false);
});

test('a missing Google confirmation can be retried with the same code', async () => {
  await confirmWithGoogle(createProblem(422, 'google-unconfirmed'));
  expect(getButton('Continue with Google').disabled).toBe(false);
});

test('an invitation names its inviter, organization, and role', async () => {
  const readInvitation = { role: 'money', orgName: 'Ithaca', invitedBy: 'Edith' };
  await renderInPage(<EmailSigninPage {...FRAME} code="c0de" returnTo={undefined} isInvitation />, { readInvitation });
  expect(await screen.findByText(/^Edith invited you to work on Ithaca\. Your role: Treasurer\./)).toBeTruthy();
});

test('an invitation that has expired says so without asking for a name', async () => {
  const readInvitation = createProblem(422, 'link-invalid');
  await renderInPage(<EmailSigninPage {...FRAME} code="c0de" returnTo={undefined} isInvitation />, { readInvitation });
  expect(await screen.findByText(/has expired/)).toBeTruthy();
  expect(screen.queryByLabelText('Your name')).toBeNull();
});
