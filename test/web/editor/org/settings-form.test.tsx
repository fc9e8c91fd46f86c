// @spec 2.org-settings
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { OrgSettings } from '#contract/schemas/orgs.ts';
import { NO_STATS } from '#domain/org.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { PlaceFields, SettingsForm, useSettings } from '#web/routes/editor/org/settings-form.tsx';
import { useApi } from '#web/session/app-context.ts';

afterEach(cleanup);

const SETTINGS = {
  id: 'hill',
  slug: 'hill',
  name: 'Hill',
  tag: 'Warm homes',
  place: '',
  typicalGrant: null,
  statsDelta: NO_STATS,
  timeZone: 'UTC',
  canChangeTimeZone: true,
} as OrgSettings;

function PlaceSettings({ saved = SETTINGS }: { saved?: OrgSettings }) {
  const settings = useSettings(useApi(), saved);
  return (
    <SettingsForm title="Location and time zone" settings={settings} onSave={() => void settings.save()}>
      <PlaceFields settings={settings} />
    </SettingsForm>
  );
}

test('a rejected time zone shows the reason at its field until it changes', async () => {
  const detail = 'The time zone can’t change.';
  const problem = { status: 409, code: 'time-zone-in-books', field: 'timeZone', detail, requestId: '' } as const;
  const call = () => Promise.reject(new ApiProblem(problem));
  render(wrapInSignedInPage(<PlaceSettings />, { api: { ...createPageContext().api, call } }));
  const zone = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Time zone' });
  fireEvent.change(zone, { target: { value: 'America/Chicago' } });
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save' })));
  expect(zone.getAttribute('aria-invalid')).toBe('true');
  expect(zone.getAttribute('aria-describedby')).toContain(screen.getByText(detail).closest('[id]')?.id);
  fireEvent.change(zone, { target: { value: 'UTC' } });
  expect(screen.queryByText(detail)).toBeNull();
});

test('the time zone is disabled once a month is closed, with the reason', () => {
  render(wrapInSignedInPage(<PlaceSettings saved={{ ...SETTINGS, canChangeTimeZone: false }} />));
  const zone = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Time zone' });
  expect(zone.disabled).toBe(true);
  expect(zone.getAttribute('aria-describedby')).toContain(
    screen.getByText(/because a month of the books is closed/).id,
  );
});
