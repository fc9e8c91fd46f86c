import { findAccessibilityProblems } from './support/axe.ts';
import { expect, ORG, test } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';
import { newEmail } from './support/sign-in.ts';

test('a visitor reads how an estimate is computed and where each number comes from, in either language', async ({
  page,
}) => {
  await page.goto(ORG);
  const calculator = page.getByRole('tabpanel');
  await expect(calculator.getByText('How is this computed?')).toBeHidden();
  await calculator.getByRole('button', { name: 'Try it' }).click();
  await calculator.getByText('How is this computed?').click();
  await expect(calculator).toContainText('1 traveler × 2,446 miles × 0.56 lb × 2 (round trip) = 2,739.52 lb');
  await expect(calculator).toContainText('2,739.52 lb × $0.0125 a pound = $34.24');
  await expect(calculator).toContainText('the result would be 1,203 to 4,535 lb');
  await expect(calculator).toContainText('a guide, not an exact figure');
  // The formula updates with the form and can also be opened with the keyboard.
  await calculator.getByRole('textbox', { name: 'Travelers' }).fill('3');
  await expect(calculator).toContainText('3 travelers × 2,446 miles');
  await page.getByRole('tab', { name: 'Home', exact: true }).click();
  await calculator.getByLabel('Natural gas (therms)').fill('60');
  await calculator.getByText('How is this computed?').focus();
  await page.keyboard.press('Enter');
  await expect(calculator).toContainText('60 therms of natural gas × 25.2 lb = 1,512.00 lb');
  await calculator.getByText('Details: Natural gas').click();
  await expect(calculator.getByRole('link', { name: /Energy Information Administration.*2016/ })).toBeVisible();
  await calculator.getByRole('link', { name: 'All our numbers, with their sources' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Our numbers' })).toBeVisible();
  const gasoline = page.getByRole('heading', { name: 'Gasoline: 39.28 pounds per gallon' }).locator('..');
  await expect(gasoline).toContainText('Our own figure; we found no published source. Others publish 19.36 to 26.34.');
  await page.getByText('Electricity in other regions').click();
  await expect(page.getByRole('row', { name: /WECC California/ })).toContainText('0.428464');

  await page.goto(`/es${ORG}/faqs`);
  await page.getByRole('link', { name: 'Nuestros números' }).click();
  await expect(page.getByText('Otros publican de 19.36 a 26.34.')).toBeVisible();
});

test('an editor previews and chooses a grid region, and home estimates update immediately', async ({
  page: editor,
  browser,
}) => {
  const email = newEmail('numbers');
  const orgPath = `/orgs/${await openNewFund(editor, { email, name: 'Bay Climate Fund' })}`;
  const visitor = await (await browser.newContext()).newPage();

  // The item was in the cart before the change.
  await visitor.goto(orgPath);
  await visitor.getByRole('tab', { name: 'Home', exact: true }).click();
  const panel = visitor.getByRole('tabpanel');
  await panel.getByLabel('Electricity (kWh)').fill('10000');
  await panel.getByRole('button', { name: 'Calculate Offset' }).click();
  await expect(panel.getByRole('listitem')).toContainText('$29.13');

  await editor.goto(`${orgPath}/editor/org/calculator`);
  const form = editor.getByRole('form', { name: 'Calculator factors' });
  const save = form.getByRole('button', { name: 'Save factors' });
  await expect(save).toBeDisabled();
  await form.getByLabel('Electricity').selectOption('CA: WECC California (CAMX), 0.4285 lb per kWh');
  await form.getByLabel('Price of a ton (optional)').fill('30');
  const home = form.getByRole('row', { name: /A month at home/ });
  await expect(home).toContainText('1,652 lb $20.65');
  await expect(home).toContainText('1,769 lb $26.54');
  await expect(home).toContainText('+117 lb (7.1%) +$5.89 (29%)');
  await form.getByLabel('Override the factor for').selectOption({ label: 'Propane (pounds per gallon)' });
  await form.getByLabel('Number', { exact: true }).fill('12.61');
  await expect(save).toBeDisabled();
  await expect(form).toContainText('Please cite the source');
  await form.getByRole('button', { name: 'Remove Propane' }).click();
  await form.getByLabel('Reason for the change').fill('Our power is California’s.');
  expect(await findAccessibilityProblems(editor)).toEqual([]);
  await save.click();
  await expect(form).toContainText('Version 2026-1.1');
  await expect(save).toBeDisabled();

  // The pounds don't change, the price is current, and the cart explains the difference.
  await expect(panel).toContainText('from $29.13 to $34.95');
  await expect(panel.getByRole('listitem')).toContainText('10,000 kWh of electricity');
  await expect(panel.getByRole('listitem')).toContainText('2,330.00 lbs carbon');
  await visitor.getByRole('tab', { name: 'Home', exact: true }).click();
  await panel.getByLabel('Electricity (kWh)').fill('10000');
  await panel.getByText('How is this computed?').click();
  await expect(panel).toContainText('10,000 kWh of electricity × 0.428464 lb = 4,284.64 lb');
  await expect(panel).toContainText('4,284.64 lb × $0.015 a pound = $64.27');
  await panel.getByText('Details: Electricity').click();
  await expect(panel).toContainText('Grid region: WECC California (CAMX), in CA.');
  await panel.getByRole('link', { name: 'All our numbers, with their sources' }).click();
  await expect(visitor.getByText('Our power is California’s.')).toBeVisible();
  await visitor.getByText('Earlier numbers').click();
  await expect(visitor.getByText('Version 2026-1, until')).toBeVisible();
  await visitor.context().close();
});
