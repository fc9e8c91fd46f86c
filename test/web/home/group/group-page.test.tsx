import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { createPageContext, wrapInPublicPage } from '#test/support/render-element.ts';
import { GroupPage } from '#web/routes/home/group/group-page.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

function openPage(): void {
  const org = { id: 'valley', name: 'Valley' } as Org;
  render(wrapInPublicPage(<GroupPage org={org} site={{} as Site} />, createPageContext()));
}

const clickButton = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const queryCartLink = () => screen.queryByRole('link', { name: 'Go to the cart' });

test('saving focuses the link to the cart, and changing back to the saved estimate keeps focus there', () => {
  openPage();
  clickButton(/A year for one household/);
  const field = screen.getByLabelText<HTMLInputElement>('Travelers');
  clickButton('Add to cart');
  expect(document.activeElement).toBe(queryCartLink());
  field.focus();
  fireEvent.change(field, { target: { value: '20' } });
  expect(queryCartLink()).toBeNull();
  fireEvent.change(field, { target: { value: '2' } });
  expect(queryCartLink()).not.toBeNull();
  expect(document.activeElement).toBe(field);
});

test('an open explanation stays with its row when the row before it is removed', () => {
  openPage();
  for (const _ of [1, 2, 3]) clickButton('Add flights');
  const listExplanations = () => [...document.querySelectorAll('details')];
  const [, , lastExplanation] = listExplanations();
  clickButton('Remove row 2');
  expect(listExplanations()[1]).toBe(lastExplanation);
});
