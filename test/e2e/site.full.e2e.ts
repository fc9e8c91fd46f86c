// @spec 1.visitors 1.site 2.offsetters 2.offsetter 2.awardees 2.future-awardees 2.static-pages 2.installers
// @spec 2.header 2.drawer 2.faq-screen 2.offsetters-screen 2.offsetter-screen 2.installers-screen 2.installer-screen
// @spec 2.awardees-screen 2.future-awardees-screen decisions.5 decisions.6 decisions.7
import { expect, ORG, test } from './support/journey.ts';

test('the keyboard skips to the content, operates the menu, and lands on the next page’s heading', async ({ page }) => {
  await page.goto(ORG);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.press('Enter');
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('link')).toHaveText([
    'Offsetters',
    'Awardees',
    'Installers',
    'FAQ',
    'Donate',
    'Get help with your home',
    'Where every pound goes',
    'QR code',
    'About',
    'Privacy',
    'Login',
    'Español',
  ]);
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(menu).toBeFocused();

  await menu.press('Enter');
  await drawer.getByRole('link', { name: 'About' }).press('Enter');
  await expect(page).toHaveURL(/\/about$/);
  await expect(page).toHaveTitle(/^About · /);
  await expect(page.getByRole('heading', { level: 1, name: 'About' })).toBeFocused();
});

test('"Load more" loads the rest of a list once and moves focus to the first new item', async ({ page }) => {
  // The list contains the sample's fourteen offsetters and those from other journeys.
  await page.goto(`${ORG}/offsetters`);
  const links = page.getByRole('article').getByRole('link');
  await expect(links).toHaveCount(12);
  const loadMoreButton = page.getByRole('button', { name: 'Load more' });
  await loadMoreButton.click();
  await expect(links.nth(12)).toBeFocused();
  const addresses = await links.evaluateAll((elements) => elements.map((link) => link.getAttribute('href')));
  expect(new Set(addresses).size).toBe(addresses.length);

  // No journey adds an awardee, so there are exactly twelve, in full rows.
  await page.goto(`${ORG}/awardees`);
  await expect(links).toHaveCount(12);
  await expect(loadMoreButton).toBeHidden();
});

test('a story links to the next, the previous, and all stories; an offsetter’s button is disabled at either end', async ({
  page,
}) => {
  // Other journeys publish stories, so look up the newest one.
  const [newestStory] = (await (await page.request.get(`/api${ORG}/offsetters?max=1`)).json()) as [
    { profileURL: string },
  ];
  await page.goto(newestStory.profileURL);
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled();
  const list = page.getByRole('banner').getByRole('link', { name: 'Offsetters' });
  await expect(list).toHaveAttribute('aria-current', 'true');
  const nextName = await page.getByRole('link', { name: /^Next/ }).innerText();
  const otherStories = page.getByRole('region', { name: 'More stories' }).getByRole('article');
  await expect(otherStories).toHaveCount(3);
  expect(nextName).toContain(await otherStories.first().getByRole('heading').innerText());
  await expect(
    page
      .getByRole('article')
      .first()
      .getByText(/^[A-Z]\w+ \d+, \d{4}$/),
  ).toBeVisible();
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => {
      document.title = text;
    };
  });
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByText('Link copied')).toBeVisible();
  await expect(page).toHaveTitle(page.url());
  await expect(page.getByRole('link', { name: 'Offset yours' })).toHaveAttribute('href', ORG);
  await page.getByRole('link', { name: /^Next/ }).click();
  await expect(page).not.toHaveURL(newestStory.profileURL);
  await page.getByRole('link', { name: /^Previous/ }).click();
  await expect(page).toHaveURL(newestStory.profileURL);
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await expect(page).toHaveURL(/\/offsetters$/);

  await page.goto(`${ORG}/installers`);
  await page.getByRole('article').first().getByRole('link').click();
  await expect(page.getByRole('link', { name: 'All stories' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Next/ })).toBeVisible();
  await expect(page.getByText('Previous')).toHaveCount(0);
});

test('a table of contents link and its URL scroll to a question, and the FAQ isn’t too long on a phone', async ({
  page,
}) => {
  await page.goto(`${ORG}/faqs`);
  const contents = page.getByRole('navigation', { name: 'Table of contents' });
  await contents.getByRole('link', { name: 'How do I pay?' }).click();
  await expect(page).toHaveURL(/#howdoipay$/);
  const question = page.getByRole('heading', { level: 3, name: 'How do I pay?' });
  const answer = page.getByText('Your card number goes to the provider and never to us.');
  await expect(question).toBeInViewport();
  await expect(answer).toBeInViewport();
  await question.click();
  await expect(answer).toBeHidden();
  await page.goto('about:blank');
  await page.goto(`${ORG}/faqs#howdoipay`);
  await expect(question).toBeInViewport();
  await expect(answer).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${ORG}/faqs`);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(4000);
});

test.describe('not found', () => {
  test.use({ expectedErrors: ['404'] });

  test('an unknown address shows the not-found page with status 404 and its organization’s links', async ({ page }) => {
    for (const path of [
      '/nowhere-at-all',
      '/login/more',
      '/orgs/nowhere',
      `${ORG}/offsetters/nobody/`,
      `${ORG}/nothing`,
    ]) {
      const response = await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
      expect(response?.status(), path).toBe(404);
    }
    // The page keeps its organization's header and links.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Offsetters' }).click();
    await expect(page).toHaveURL(/\/orgs\/sample\/offsetters$/);
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  });
});

test('the header and the drawer switch to Spanish and back, on the same page', async ({ page }) => {
  await page.goto(`${ORG}/about`);
  await page.getByRole('banner').getByRole('link', { name: 'Español' }).click();
  await expect(page).toHaveURL(/\/es\/orgs\/sample\/about$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Quiénes somos' })).toBeVisible();
  await page.getByRole('button', { name: 'Menú' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'English' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'About' })).toBeVisible();
});

test.describe('in a browser that prefers Spanish', () => {
  test.use({ locale: 'es-MX' });

  test('an English page offers Spanish in a one-line overlay until the offer is dismissed', async ({ page }) => {
    await page.goto(`${ORG}/faqs`);
    const offer = page.getByRole('complementary', { name: 'Idioma' });
    await expect(offer).toContainText('¿Prefiere español?');
    // The offer overlays the page, so nothing shifts.
    expect(await offer.evaluate((element) => getComputedStyle(element).position)).toBe('fixed');
    await expect(offer.getByRole('link')).toHaveAttribute('href', `/es${ORG}/faqs`);
    await offer.getByRole('button', { name: 'No, gracias' }).click();
    await expect(offer).toBeHidden();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'FAQs' })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expect(offer).toBeHidden();
    await page.goto(`/es${ORG}/faqs`);
    await expect(offer).toBeHidden();
  });
});
