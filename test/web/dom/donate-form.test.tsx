import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { createPageContext, wrapInPublicPage } from '#test/support/render-element.ts';
import { DonateForm } from '#web/routes/donate/donate-form.tsx';

afterEach(cleanup);

test('the list of all intervals receives the focus when it replaces its button', () => {
  const form = (
    <DonateForm
      orgId="valley"
      editedLine={undefined}
      suggestedAmount={undefined}
      fee={null}
      typicalGrant={null}
      onSendCheck={() => {}}
    />
  );
  render(wrapInPublicPage(form, createPageContext()));
  fireEvent.click(screen.getByRole('button', { name: 'More intervals' }));
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'How often?' }));
});
