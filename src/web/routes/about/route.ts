import { loadCells, type PageCells } from '#web/api/page-cells.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';

export type AboutData = { readonly cells: PageCells<'about'> };
export type QrcodeData = { readonly cells: PageCells<'home'> };
export type HelpData = { readonly cells: PageCells<'help'> };
export type FaqData = { readonly cells: PageCells<'faq'> };

export const ABOUT_PAGES: readonly PageRoute[] = [
  orgPage(
    'future-awardees-page',
    async () => (await import('./future-awardees-page.tsx')).FutureAwardeesPage,
    () => ({}),
  ),
  orgPage(
    'about-page',
    async () => (await import('./about-page.tsx')).AboutPage,
    async ({ api, params }) => ({ cells: await loadCells(api, params.orgid, 'about') }),
  ),
  orgPage(
    'privacy-page',
    async () => (await import('./privacy-page.tsx')).PrivacyPage,
    () => ({}),
  ),
  orgPage(
    'help-page',
    async () => (await import('./help-page.tsx')).HelpPage,
    async ({ api, params }) => ({ cells: await loadCells(api, params.orgid, 'help') }),
  ),
  orgPage(
    'faqs-page',
    async () => (await import('./faqs-page.tsx')).FaqsPage,
    async ({ api, params }) => ({ cells: await loadCells(api, params.orgid, 'faq') }),
  ),
  orgPage(
    'qrcode-page',
    async () => (await import('./qrcode-page.tsx')).QrcodePage,
    async ({ api, params }) => ({ cells: await loadCells(api, params.orgid, 'home') }),
  ),
];
