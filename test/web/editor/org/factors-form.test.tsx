// @spec 2.org-settings decisions.4
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Org, OrgSettings } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { OrgPage } from '#web/routes/editor/org/org-page.tsx';
import { settingsQuery } from '#web/routes/editor/org/route.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const ORG = { id: 'hill', slug: 'hill', name: 'Hill' } as Org;

/** Opens the section of an organization that uses the default factors. */
function openPage() {
  const context = createPageContext();
  const call = vi.fn().mockResolvedValue(undefined);
  const api = { ...context.api, call };
  context.client.setQueryData(settingsQuery(api, ORG.id).queryKey, ORG as OrgSettings);
  render(wrapInSignedInPage(<OrgPage org={ORG} site={{} as Site} section="calculator" />, { ...context, api }));
  return { call };
}

const getPrice = () => screen.getByLabelText<HTMLInputElement>('Price of a ton (optional)');
const getReason = () => screen.getByLabelText<HTMLTextAreaElement>('Reason for the change');
const listDrafts = () => Object.keys(localStorage).filter((key) => key.startsWith('draft:'));

function changePrice() {
  fireEvent.change(getPrice(), { target: { value: '40' } });
  fireEvent.change(getReason(), { target: { value: 'The board voted for it.' } });
}

test('unsaved factors and their reason are restored when the page opens again, until they are discarded', () => {
  openPage();
  changePrice();
  cleanup();
  openPage();
  expect([getPrice().value, getReason().value]).toEqual(['40', 'The board voted for it.']);
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect([getPrice().value, listDrafts()]).toEqual(['', []]);
});

test('saved factors leave no draft', async () => {
  const { call } = openPage();
  changePrice();
  expect(listDrafts()).toHaveLength(1);
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save factors' })));
  expect(call).toHaveBeenCalledOnce();
  expect(listDrafts()).toEqual([]);
});
