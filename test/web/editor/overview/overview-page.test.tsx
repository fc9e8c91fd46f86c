// @spec 2.editor
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { KeyFigures } from '#web/routes/editor/overview/overview-page.tsx';
import { OrgTimeZone } from '#web/routes/editor/use-dates.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('the overview’s sums of this month and year link to the statements that show them', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-02-10T12:00:00Z') });
  const overview = { month: { amount: 2711.9, lastYear: 0 }, year: 9000 };
  const funds = { available: 10, promised: 0 };
  const figures = <KeyFigures orgId="valley" overview={overview} funds={funds} recurring={{ gifts: 0, monthly: 0 }} />;
  render(wrapInSignedInPage(<OrgTimeZone value="UTC">{figures}</OrgTimeZone>, createPageContext()));
  const getAddress = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href');
  expect(getAddress(/^February so far ?\$2,711\.90/)).toBe('/orgs/valley/editor/statement?period=2026-02');
  expect(getAddress(/^2026 so far ?\$9,000\.00/)).toBe('/orgs/valley/editor/statement?period=2026');
});
