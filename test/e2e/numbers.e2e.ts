import { expect, ORG, test } from './support/journey.ts';

test('a visitor asks how an estimate is computed, in either language, and reads where each number is from', async ({
  page,
}) => {
  await page.goto(ORG);
  const calculator = page.getByRole('tabpanel');
  await calculator.getByText('How is this computed?').click();
  await expect(calculator).toContainText('Once there is an estimate, its formula shows here');
  await calculator.getByRole('button', { name: 'Show me New York to Los Angeles' }).click();
  await expect(calculator).toContainText('1 traveler × 2,446 miles × 0.56 lb × 2 (round trip) = 2,739.52 lb');
  await expect(calculator).toContainText('2,739.52 lb × $0.0125 a pound = $34.24');
  await expect(calculator).toContainText('it would be 1,203 to 4,535 lb');
  await expect(calculator).toContainText('a guide rather than a precise figure');
  // The formula follows the form, by the keyboard too.
  await calculator.getByRole('textbox', { name: 'Travelers' }).fill('3');
  await expect(calculator).toContainText('3 travelers × 2,446 miles');
  await page.getByRole('tab', { name: 'Home', exact: true }).click();
  await calculator.getByLabel('Natural gas (therms)').fill('60');
  await calculator.getByText('How is this computed?').focus();
  await page.keyboard.press('Enter');
  await expect(calculator).toContainText('60 therms of natural gas × 25.2 lb = 1,512.00 lb');
  await expect(calculator.getByRole('link', { name: /Energy Information Administration.*2016/ })).toBeVisible();
  await calculator.getByRole('link', { name: 'All our numbers, with their sources' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Our numbers' })).toBeVisible();
  await expect(page.getByText('39.28 lb is exactly twice 19.64')).toBeVisible();
  await page.getByText('All 27 regions').click();
  await expect(page.getByRole('row', { name: /WECC California/ })).toContainText('0.428464');

  await page.goto(`/es${ORG}/faqs`);
  await page.getByRole('link', { name: 'Nuestros números' }).click();
  await expect(page.getByText('39.28 lb es exactamente el doble de 19.64')).toBeVisible();
});
