import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backupName, hasRecentDrill, lastBackupDue, outdatedBackups, parseBackupTime } from '#domain/backups.ts';

const DAY = 86_400_000;
const NOW = new Date('2026-11-23T12:00:00Z');
/** File names of backups from this many days ago. */
const backupNamesFromDaysAgo = (...days: readonly number[]) =>
  days.map((dayCount) => backupName(new Date(NOW.getTime() - dayCount * DAY)));

test.each([
  ['2026-11-23T03:30:00Z', '2026-11-23T03:30:00.000Z'],
  ['2026-11-23T03:29:59Z', '2026-11-22T03:30:00.000Z'],
])('at %s, the 03:30 backup was last due at %s', (now, due) => {
  expect(lastBackupDue(new Date(now)).toISOString()).toBe(due);
});

test('a backup name contains its time, and no other file name matches', () => {
  expect(backupName(NOW)).toBe('fund-20261123T120000000Z.backup');
  expect(parseBackupTime(backupName(NOW))).toEqual(NOW);
  for (const fileName of ['fund-20261123T120000000Z.backup.part', 'photo.webp', 'fund-20269923T120000000Z.backup'])
    expect(parseBackupTime(fileName)).toBeUndefined();
});

test('pruning keeps daily backups for two weeks, then weekly and monthly ones', () => {
  const dailyNames = backupNamesFromDaysAgo(...Array.from({ length: 730 }, (_, day) => day));
  const outdatedNames = new Set(outdatedBackups(dailyNames, NOW));
  const remainingDates = dailyNames.filter((name) => !outdatedNames.has(name)).map((name) => name.slice(5, 13));
  expect(remainingDates.slice(0, 14)).toEqual(dailyNames.slice(0, 14).map((name) => name.slice(5, 13)));
  expect(remainingDates.slice(14)).toEqual([
    // The last backup of its week (Sunday) or month.
    '20261108',
    '20261101',
    '20261031',
    '20261025',
    '20261018',
    '20261011',
    '20260930',
    '20260831',
    '20260731',
    '20260630',
    '20260531',
    '20260430',
    '20260331',
    '20260228',
    '20260131',
    '20251231',
  ]);
});

test('pruning never removes the newest backup or other files', () => {
  const names = backupNamesFromDaysAgo(...Array.from({ length: 900 }, (_, day) => day + 400));
  const outdatedNames = outdatedBackups([...names, 'notes.txt'], NOW);
  expect([
    outdatedNames.includes(names[0] ?? ''),
    outdatedNames.includes('notes.txt'),
    outdatedNames.length > 800,
  ]).toEqual([false, false, true]);
  expect(outdatedBackups([], NOW)).toEqual([]);
});

test('pruning again removes nothing, and backups from the last two days are never removed', () => {
  const ages = fc.array(fc.integer({ min: 0, max: 900 * 24 }), { maxLength: 60 });
  fc.assert(
    fc.property(ages, (hours) => {
      const names = [...new Set(backupNamesFromDaysAgo(...hours.map((hour) => hour / 24)))];
      const outdatedNames = outdatedBackups(names, NOW);
      const remainingNames = names.filter((name) => !outdatedNames.includes(name));
      expect(outdatedBackups(remainingNames, NOW)).toEqual([]);
      expect(remainingNames.length).toBeGreaterThanOrEqual(Math.min(1, names.length));
      for (const name of outdatedNames)
        expect(NOW.getTime() - (parseBackupTime(name)?.getTime() ?? 0)).toBeGreaterThanOrEqual(2 * DAY);
    }),
  );
});

test.each([
  [undefined, false],
  [0, true],
  [39.9, true],
  [40, false],
])('a restore drill %j days ago counts as recent: %j', (days, isRecent) => {
  const now = new Date('2026-03-14T12:00:00Z');
  const succeededAt = days === undefined ? null : new Date(now.getTime() - days * 86_400_000);
  expect(hasRecentDrill(succeededAt, now)).toBe(isRecent);
});
