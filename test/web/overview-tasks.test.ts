// @spec 2.editor
import { expect, test } from 'vitest';
import { firstSteps } from '#web/routes/editor/overview/tasks.tsx';

const NONE = { co2: 0, gas: 0, funds: 0, grants: 0 };
const NEW = { id: 'valley', slug: 'valley-fund', photoURL: null, noAwardees: false, stats: NONE };
const pagesOf = (org: Parameters<typeof firstSteps>[0]) => firstSteps(org).map(({ to }) => to.split('/').at(-1));

test('a new site gets first steps for a photo, its own text, an awardee, and sharing', () => {
  expect(pagesOf(NEW)).toEqual(['org', 'pages', 'awardees', 'qrcode']);
  expect(firstSteps(NEW).at(-1)?.detail).toContain('/valley-fund');
});

test('a completed step isn’t suggested again', () => {
  expect(pagesOf({ ...NEW, photoURL: '/media/a.jpg' })).toEqual(['pages', 'awardees', 'qrcode']);
  expect(pagesOf({ ...NEW, noAwardees: true })).toEqual(['org', 'pages', 'qrcode']);
  expect(pagesOf({ ...NEW, stats: { ...NONE, grants: 1 } })).toEqual(['org', 'pages', 'qrcode']);
});
