import { z } from 'zod';
import { FIRST_STEP_NAMES, STEP_STATES } from '#domain/first-steps.ts';
import { orgId } from './shared.ts';

const step = z.enum(FIRST_STEP_NAMES);
const orgParams = z.strictObject({ orgid: orgId });

export const firstSteps = z
  .array(z.object({ step, state: z.enum(STEP_STATES) }))
  .meta({ id: 'FirstSteps', description: 'Setup steps for a new organization, in order.' });

export type FirstSteps = z.infer<typeof firstSteps>;

export const firstStepCalls = {
  readFirstSteps: {
    summary: 'Read which first steps of an organization are done',
    params: orgParams,
    response: firstSteps,
  },
  dismissFirstSteps: {
    summary: 'Mark first steps as done, or as open again',
    params: orgParams,
    body: z.strictObject({ steps: z.array(step).min(1).max(FIRST_STEP_NAMES.length), dismissed: z.boolean() }),
    response: firstSteps,
  },
};
