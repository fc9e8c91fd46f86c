export type AlarmState = {
  readonly isOn: boolean;
  /** When the condition began to differ from the alarm's state. */
  readonly changePendingSince: Date | null;
  /** When the alarm last began or ended. */
  readonly changedAt: Date | null;
};

export const NO_ALARM: AlarmState = { isOn: false, changePendingSince: null, changedAt: null };

const MINUTE_MS = 60_000;
/** Delays that prevent alarms for brief problems and keep an alarm on through brief recoveries. */
const START_DELAY_MS = 4 * MINUTE_MS;
const END_DELAY_MS = 14 * MINUTE_MS;
/** Minimum time between emails about a recurring alarm. */
const REPEAT_AFTER_MS = 6 * 60 * MINUTE_MS;

/** @returns the state after a check, and the email to send */
export function updateAlarm(
  state: AlarmState,
  hasProblem: boolean,
  now: Date,
): { readonly state: AlarmState; readonly email: 'began' | 'over' | undefined } {
  if (hasProblem === state.isOn) return { state: { ...state, changePendingSince: null }, email: undefined };
  const pendingSince = state.changePendingSince ?? now;
  const isConfirmed = now.getTime() - pendingSince.getTime() >= (hasProblem ? START_DELAY_MS : END_DELAY_MS);
  const isTooSoon =
    hasProblem && state.changedAt !== null && now.getTime() - state.changedAt.getTime() < REPEAT_AFTER_MS;
  if (!isConfirmed || isTooSoon) return { state: { ...state, changePendingSince: pendingSince }, email: undefined };
  return {
    state: { isOn: hasProblem, changePendingSince: null, changedAt: now },
    email: hasProblem ? 'began' : 'over',
  };
}
