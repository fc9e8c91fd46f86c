// @spec 9.token-refresh
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { createApiClient } from '#web/api/client.ts';
import { App } from '#web/app/app.tsx';
import { withGuard } from '#web/app/guard.tsx';
import { createScreenLoader, type Routes, type Screen } from '#web/app/screens.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { createNavigator } from '#web/navigation/navigator.ts';
import { createMemoryHistory } from '#web/navigation/site-history.ts';
import { useApi } from '#web/session/app-context.ts';
import { createSessionStore, type TabMessage } from '#web/session/session-store.ts';
import type { PageRoute } from '#web/site/page.ts';
import { TextField } from '#web/ui/field.tsx';

afterEach(cleanup);

const ADA = { id: 'ada', email: 'ada@example.org' };
const BEN = { id: 'ben', email: 'ben@example.org' };
const ORG = { params: { orgid: 'valley' } };

function NameDialog() {
  const api = useApi();
  const form = useForm({ initial: { name: '' }, fields: [] });
  return (
    <FormDialog
      title="Rename"
      confirmLabel="Save"
      form={form}
      onSubmit={() => api.call('editOrg', { ...ORG, body: { name: form.values.name } })}
      onClose={() => {}}
    >
      <TextField label="Fund" {...form.fieldProps('name')} />
    </FormDialog>
  );
}

function createPage(name: PageRoute['name'], guard: PageRoute['guard'], element: ReactElement): PageRoute {
  return withGuard({ name, ...(guard && { guard }), load: async () => ({}), element: async () => () => element });
}

const ROUTES: Routes = {
  pages: [
    createPage('org-page', 'org.edit', <NameDialog />),
    createPage('login-page', 'signed-out', <p>Login page</p>),
  ],
  loadSignedInPages: async () => [],
  redirects: {},
};

let issuedCount = 0;
function createToken({ id, email }: typeof ADA) {
  issuedCount += 1;
  const claims = Buffer.from(JSON.stringify({ sub: id, email, jti: issuedCount })).toString('base64url');
  return { token: `header.${claims}.signature`, expiresAt: '2001-01-01T00:00:00Z' };
}

/** Opens a form for a logged-in person. `server.user` is the owner of the browser's session, whose tokens are valid. */
async function openForm() {
  const server = { user: ADA as typeof ADA | undefined, savedNames: [] as string[] };
  const validTokens = new Map<string, string>();
  const logIn = (user: typeof ADA) => {
    server.user = user;
    const identityToken = createToken(user);
    validTokens.set(`Bearer ${identityToken.token}`, user.id);
    return identityToken;
  };
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input instanceof Request ? input : new URL(input, 'http://fund.example'), init);
    const path = new URL(request.url).pathname.replace('/api', '');
    if (path === '/session/token') return Response.json(server.user ? logIn(server.user) : null);
    if (path === '/session/password') return Response.json(logIn(ADA));
    if (path === '/site') return Response.json({});
    if (path === '/orgs/valley' && request.method === 'GET') return Response.json({ id: 'valley', name: 'Valley' });
    const caller = validTokens.get(request.headers.get('Authorization') ?? '');
    if (caller === undefined || caller !== server.user?.id)
      return Response.json({ code: 'token-invalid', detail: 'Please log in again.' }, { status: 401 });
    if (path === '/orgs/valley' && request.method === 'PATCH') server.savedNames.push((await request.json()).name);
    return Response.json({
      ...server.user,
      displayName: server.user.id,
      emailVerified: true,
      roles: { valley: 'editor' },
    });
  };
  const session = createSessionStore();
  const api = createApiClient({ fetch, bearer: session });
  const navigator = createNavigator<Screen>({
    history: createMemoryHistory('/orgs/valley/editor/org'),
    load: createScreenLoader(ROUTES, { api, session }),
  });
  let receive: (message?: TabMessage) => void = () => {};
  const tab = {
    mayHaveSession: () => server.user !== undefined,
    clearHint: () => {},
    broadcast: () => {},
    listen: (onMessage: typeof receive) => {
      receive = onMessage;
    },
  };
  session.start(api, tab, { onAccessChange: () => void navigator.reload(), hasUnsavedInput: navigator.isGuarded });
  navigator.start();
  render(<App context={{ api, session }} navigator={navigator} />);
  await screen.findByLabelText('Fund');
  return { server, api, receive };
}

const type = () => fireEvent.change(getField(), { target: { value: 'Warm Valley' } });
const getField = () => screen.getByLabelText<HTMLInputElement>('Fund');
const save = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save' })));
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));
const findLoginDialog = async () => within(await screen.findByRole('dialog', { name: 'Log in again' }));

async function saveAndLogIn(): Promise<void> {
  await save();
  const dialog = await findLoginDialog();
  fireEvent.change(dialog.getByLabelText('Password'), { target: { value: 'a lamp in every window' } });
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Log in' })));
}

test('after Cancel in the login dialog, the typed text stays, and saving asks again', async () => {
  const { server } = await openForm();
  type();
  server.user = undefined;
  await save();
  const dialog = await findLoginDialog();
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Cancel' })));
  expect(getField().value).toBe('Warm Valley');
  expect(screen.getByText('Please log in again.')).toBeTruthy();
  await saveAndLogIn();
  expect(server.savedNames).toEqual(['Warm Valley']);
});

type Form = Awaited<ReturnType<typeof openForm>>;
const SESSION_CHECKS: Readonly<Record<string, (form: Form) => unknown>> = {
  'a read': ({ api }) => api.call('readOrgSettings', ORG).catch(() => {}),
  'another tab': ({ receive }) => receive({ uid: '', hasChanged: false }),
  'a logout in another tab': ({ receive }) => receive({ uid: '', hasChanged: true }),
  'the tab, when it becomes visible again,': ({ receive }) => receive(),
};

test.each(Object.entries(SESSION_CHECKS))(
  'if %s finds that the session has ended, a dialog keeps its typed text, and saving asks for a login',
  async (_case, checkSession) => {
    const form = await openForm();
    type();
    form.server.user = undefined;
    await act(async () => checkSession(form));
    await settle();
    expect(getField().value).toBe('Warm Valley');
    await saveAndLogIn();
    expect(form.server.savedNames).toEqual(['Warm Valley']);
  },
);

test.each(Object.entries(SESSION_CHECKS))(
  'if %s finds that the session has ended, the login page replaces a dialog without typed text',
  async (_case, checkSession) => {
    const form = await openForm();
    form.server.user = undefined;
    await act(async () => checkSession(form));
    expect(await screen.findByText('Login page')).toBeTruthy();
  },
);

// @asvs 14.3.1
test.each(['without a logout', 'after a logout'])(
  'a person who logs in from another tab %s doesn’t see what the previous person typed',
  async (logout) => {
    const { server, receive } = await openForm();
    type();
    if (logout === 'after a logout') {
      server.user = undefined;
      await act(async () => receive({ uid: '', hasChanged: true }));
      expect(getField().value).toBe('Warm Valley');
    }
    server.user = BEN;
    receive({ uid: BEN.id, hasChanged: true });
    await vi.waitFor(() => expect(screen.queryByDisplayValue('Warm Valley')).toBeNull());
    expect((await screen.findByLabelText<HTMLInputElement>('Fund')).value).toBe('');
  },
);
