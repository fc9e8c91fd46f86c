// @spec 2.org-settings
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Org, OrgSettings } from '#contract/schemas/orgs.ts';
import { NO_STATS } from '#domain/org.ts';
import { DEFAULT_EMAIL_CHOICES } from '#domain/team-emails.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { EmailChoicesForm } from '#web/routes/editor/editors/email-choices-form.tsx';
import { FactorsForm, useFactors } from '#web/routes/editor/org/factors-form.tsx';
import { HeaderPhotoForm, useHeaderPhoto } from '#web/routes/editor/org/header-photo.tsx';
import { SettingsForm, useSettings } from '#web/routes/editor/org/settings-form.tsx';
import { useApi } from '#web/session/app-context.ts';

afterEach(cleanup);

const ORG = { id: 'hill', slug: 'hill', name: 'Hill' } as Org;
const SETTINGS = {
  ...ORG,
  tag: 'Warm homes',
  place: '',
  typicalGrant: null,
  statsDelta: NO_STATS,
  noAwardees: false,
  takesApplications: true,
  reviewStories: false,
  editorsNeedSecondFactor: false,
  timeZone: 'UTC',
} as OrgSettings;

function Settings() {
  const settings = useSettings(useApi(), SETTINGS);
  return (
    <SettingsForm title="Settings" settings={settings} onSave={() => void settings.save()}>
      {null}
    </SettingsForm>
  );
}

function Factors() {
  return <FactorsForm org={ORG} form={useFactors(useApi(), ORG, () => {})} />;
}

function HeaderPhoto() {
  const header = useHeaderPhoto(useApi(), ORG.id);
  return (
    <HeaderPhotoForm
      photo={null}
      header={header}
      onUpload={() => void header.upload(async () => {})}
      onRemove={async () => {}}
    />
  );
}

// A disabled button would lose focus after saving.
test.each<[string, string, ReactElement]>([
  ['the settings', 'Save', <Settings key="settings" />],
  ['the factors', 'Save factors', <Factors key="factors" />],
  ['the header photo', 'Upload', <HeaderPhoto key="photo" />],
  [
    'a person’s emails',
    'Save',
    <EmailChoicesForm key="emails" orgId={ORG.id} choices={DEFAULT_EMAIL_CHOICES} can={() => true} />,
  ],
])('the button of %s can receive focus while there is nothing to save', async (_form, name, form) => {
  const context = createPageContext();
  const call = vi.fn();
  render(wrapInSignedInPage(form, { api: { ...context.api, call, upload: call } }));
  const button = screen.getByRole<HTMLButtonElement>('button', { name });
  expect(button.disabled).toBe(false);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await act(async () => fireEvent.click(button));
  expect(call).not.toHaveBeenCalled();
});
