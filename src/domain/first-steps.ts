import type { Action } from './permissions.ts';

/** Setup steps for a new organization, in order, with the permission that each one requires. */
export const FIRST_STEPS = {
  photo: 'org.edit',
  text: 'cells.edit',
  'time-zone': 'org.edit',
  electricity: 'org.edit',
  'typical-grant': 'org.edit',
  awardee: 'stories.edit',
  editor: 'editors.manage',
  share: 'org.edit',
} as const satisfies Readonly<Record<string, Action>>;

export type FirstStep = keyof typeof FIRST_STEPS;
export const FIRST_STEP_NAMES = Object.keys(FIRST_STEPS) as readonly FirstStep[];

/** open: to do. done: detected automatically. dismissed: an editor marked it as done. */
export const STEP_STATES = ['open', 'done', 'dismissed'] as const;
export type StepState = (typeof STEP_STATES)[number];
