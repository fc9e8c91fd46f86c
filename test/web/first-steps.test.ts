import { expect, test } from 'vitest';
import { firstSteps } from '#web/routes/editor/overview/first-steps.tsx';

const NONE = { co2: 0, gas: 0, funds: 0, grants: 0 };
const NEW = { id: 'valley', slug: 'valley-fund', photoURL: null, noAwardees: false, stats: NONE };
const leadTo = (org: Parameters<typeof firstSteps>[0]) => firstSteps(org).map(({ to }) => to.split('/').at(-1));

test('a new site asks for a photo, its own words, an awardee, and to be shared', () => {
  expect(leadTo(NEW)).toEqual(['org', 'pages', 'awardees', 'qrcode']);
  expect(firstSteps(NEW).at(-1)?.detail).toContain('/valley-fund');
});

test('what is seen to be done is not asked for again', () => {
  expect(leadTo({ ...NEW, photoURL: '/media/a.jpg' })).toEqual(['pages', 'awardees', 'qrcode']);
  expect(leadTo({ ...NEW, noAwardees: true })).toEqual(['org', 'pages', 'qrcode']);
  expect(leadTo({ ...NEW, stats: { ...NONE, grants: 1 } })).toEqual(['org', 'pages', 'qrcode']);
});
