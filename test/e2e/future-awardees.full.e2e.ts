// @spec decisions.7
import { expect, ORG, test } from './support/journey.ts';

const FUTURE_AWARDEES = `${ORG}/future-awardees`;

// The browser logs the missing page as a 404.
test.use({ expectedErrors: ['404'] });

test('if an organization has no awardees, the header, menu, and home page link to future awardees', async ({
  page,
}) => {
  await page.route('**/api/orgs/sample', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), noAwardees: true } });
  });
  // From here on, the browser requests the organization instead of reading it from the document.
  await page.goto('/nowhere-at-all');
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await expect(page).toHaveURL(new RegExp(`${ORG}$`));
  const header = page.getByRole('banner').getByRole('navigation');
  await expect(header.getByRole('link', { name: 'Future awardees' })).toHaveAttribute('href', FUTURE_AWARDEES);
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: 'See who it helps' })).toHaveAttribute('href', FUTURE_AWARDEES);
  await expect(main.getByRole('heading', { name: 'Future awardees' })).toBeVisible();
  await expect(main.getByRole('link', { name: 'See more about future awardees' })).toHaveAttribute(
    'href',
    FUTURE_AWARDEES,
  );
  await page.getByRole('button', { name: 'Menu' }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('link', { name: 'Future awardees' })).toHaveAttribute('href', FUTURE_AWARDEES);
  await expect(page.locator(`a[href="${ORG}/awardees"]`)).toHaveCount(0);

  await drawer.getByRole('link', { name: 'Future awardees' }).click();
  await expect(page.getByText('How to apply: coming soon...')).toBeVisible();
});
