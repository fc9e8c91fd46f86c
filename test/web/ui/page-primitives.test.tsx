import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { type ReactElement, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { FormPage } from '#web/forms/form-page.tsx';
import { useLeaveGuard } from '#web/forms/leave-guard.tsx';
import { ChartFigure } from '#web/ui/column-chart.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { PageLinks } from '#web/ui/page-links.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { PasswordField } from '#web/ui/sign-in-fields.tsx';
import { Table, type TableColumn } from '#web/ui/table.tsx';

afterEach(cleanup);

const getButton = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });

function Grants({ names, children }: { names: readonly string[]; children?: ReactElement }) {
  const [items, setItems] = useState(names);
  return (
    <main>
      <ListPage
        title="Grants"
        subtitle="Track each grant."
        actions={<button type="button">Add a grant</button>}
        items={items}
        itemNoun="grants"
        empty="No grants yet."
        below={children}
      >
        {(rows) => (
          <ul>
            {rows.map((name) => (
              <li key={name}>
                <button type="button" onClick={() => setItems(items.filter((item) => item !== name))}>
                  {name}
                </button>
              </li>
            ))}
          </ul>
        )}
      </ListPage>
    </main>
  );
}

test('ListPage shows its heading, its rows, and a note once the list is empty', () => {
  render(<Grants names={['Ada']} />);
  expect(screen.getByRole('heading', { level: 1, name: 'Grants' })).toBeTruthy();
  expect(document.title).toMatch(/^Grants · /);
  expect(screen.getByText('Track each grant.')).toBeTruthy();
  expect(getButton('Add a grant')).toBeTruthy();
  fireEvent.click(getButton('Ada'));
  expect(screen.queryByRole('list')).toBeNull();
  expect(screen.getByText('No grants yet.')).toBeTruthy();
});

test('ListPage loads more on request, shows that it is busy or failed, and focuses the first new row', () => {
  const loadMore = vi.fn();
  const renderPage = (state: { busy: boolean; problem: string | undefined; items?: readonly string[] }) => (
    <ListPage title="Grants" items={['Ada']} itemNoun="grants" empty="" hasMore loadMore={loadMore} {...state}>
      {(rows) =>
        rows.map((name) => (
          <button key={name} type="button">
            {name}
          </button>
        ))
      }
    </ListPage>
  );
  const { rerender } = render(renderPage({ busy: false, problem: undefined }));
  fireEvent.click(getButton('Load more grants'));
  expect(loadMore).toHaveBeenCalledOnce();
  rerender(renderPage({ busy: true, problem: undefined }));
  fireEvent.click(getButton('Loading… grants'));
  expect(loadMore).toHaveBeenCalledOnce();
  rerender(renderPage({ busy: false, problem: 'The server is unavailable.' }));
  expect(screen.getByRole('alert').textContent).toBe('The server is unavailable.');
  fireEvent.click(getButton('Load more grants'));
  rerender(renderPage({ busy: true, problem: undefined }));
  rerender(renderPage({ busy: false, problem: undefined, items: ['Ada', 'Ben', 'Eve'] }));
  expect(document.activeElement).toBe(getButton('Ben'));
});

function NamePage() {
  const [name, setName] = useState('');
  const leaveGuard = useLeaveGuard(name !== '');
  return (
    <FormPage title="Edit name" leaveGuard={leaveGuard}>
      <label>
        Name <input value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
    </FormPage>
  );
}

test('FormPage asks before unsaved changes are lost, and leaves once the user agrees', async () => {
  const { navigator } = createPageContext();
  render(wrapInSignedInPage(<NamePage />, { navigator }));
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Ada' } });
  await act(() => navigator.go('/elsewhere'));
  expect(navigator.state().entry.address).toBe('/');
  const confirmation = screen.getByRole('dialog');
  fireEvent.click(within(confirmation).getByRole('button', { name: 'Stay' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ada');
  await act(() => navigator.go('/elsewhere'));
  fireEvent.click(getButton('Leave'));
  expect(screen.queryByRole('dialog')).toBeNull();
  await act(async () => {});
  expect(navigator.state().entry.address).toBe('/elsewhere');
});

test('leaving a FormPage without unsaved changes doesn’t ask for confirmation', async () => {
  const { navigator } = createPageContext();
  render(wrapInSignedInPage(<NamePage />, { navigator }));
  await act(() => navigator.go('/elsewhere'));
  expect(navigator.state().entry.address).toBe('/elsewhere');
});

type Gift = { readonly id: string; readonly donor: string; readonly dollars: number };

test('Table names its columns, and passes each row to its cells', () => {
  const openGift = vi.fn();
  const columns: readonly TableColumn<Gift>[] = [
    { heading: 'Donor', kind: 'title', cell: ({ donor }) => donor },
    { heading: 'Amount', kind: 'amount', cell: ({ dollars }) => `$${dollars}` },
    {
      heading: 'Info',
      kind: 'action',
      cell: (gift) => (
        <button type="button" onClick={() => openGift(gift)}>
          Info
        </button>
      ),
    },
  ];
  const gifts = [
    { id: 'g1', donor: 'Ada', dollars: 25 },
    { id: 'g2', donor: 'Ben', dollars: 40 },
  ];
  render(<Table caption="Gifts, newest first" columns={columns} rows={gifts} />);
  const table = screen.getByRole('table', { name: 'Gifts, newest first' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map((cell) => cell.textContent),
  ).toEqual(['Donor', 'Amount', 'Info']);
  const [, , second] = within(table).getAllByRole('row');
  if (!second) throw new Error('The table has no second row.');
  expect(
    within(second)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['Ben', '$40', 'Info']);
  fireEvent.click(within(second).getByRole('button'));
  expect(openGift).toHaveBeenCalledWith(gifts[1]);
});

test('PageLinks links to the pages that exist and renders nothing for a single page', () => {
  const createLinks = (previous?: string, next?: string) =>
    wrapInSignedInPage(<PageLinks previous={previous} next={next} />);
  const { rerender } = render(createLinks(undefined, '/list?after=g2'));
  expect(getButton('Previous').disabled).toBe(true);
  expect(screen.getByRole('link', { name: 'Next' }).getAttribute('href')).toBe('/list?after=g2');
  rerender(createLinks());
  expect(screen.queryByRole('navigation')).toBeNull();
});

test('a select field is labeled by its visible text and described by its hint and error', () => {
  const createField = (error?: string) => (
    <SelectField label="Awardee" hint="Not listed yet?" error={error} options={[{ value: '', label: 'Choose' }]} />
  );
  const { rerender } = render(createField());
  const field = screen.getByLabelText<HTMLSelectElement>('Awardee', { selector: 'select' });
  expect([...field.labels].map(({ textContent }) => textContent)).toEqual(['Awardee']);
  const readDescription = () =>
    field
      .getAttribute('aria-describedby')
      ?.split(' ')
      .map((id) => document.getElementById(id)?.textContent);
  expect(readDescription()).toEqual(['Not listed yet?']);
  expect(field.getAttribute('aria-invalid')).toBeNull();
  rerender(createField('Choose a household.'));
  expect(readDescription()).toEqual(['Not listed yet?', 'Choose a household.']);
  expect(field.getAttribute('aria-invalid')).toBe('true');
});

test('a chart’s heading has the right level for its place on the page', () => {
  render(
    <>
      <ChartFigure title="Dollars given">{null}</ChartFigure>
      <ChartFigure title="Pounds sold" headingLevel={3}>
        {null}
      </ChartFigure>
    </>,
  );
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Dollars given');
  expect(screen.getByRole('heading', { level: 3 }).textContent).toBe('Pounds sold');
});

test('the button that shows a password is named by its visible text', () => {
  render(<PasswordField label="Password" autoComplete="current-password" />);
  fireEvent.click(getButton('Show password'));
  expect(getButton('Hide password').textContent).toBe('Hide');
  expect(screen.getByLabelText('Password').getAttribute('type')).toBe('text');
});
