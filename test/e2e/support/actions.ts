import { expect, type Locator, type Page } from '@playwright/test';

/** Performs and counts user actions: each opened address, click, filled field, and choice counts as one. */
export type Actions = {
  readonly count: () => number;
  /** Opens an address, typed or from a link in an email. */
  readonly open: (page: Page, address: string) => Promise<void>;
  readonly click: (target: Locator) => Promise<void>;
  readonly fill: (field: Locator, text: string) => Promise<void>;
  readonly choosePhoto: (field: Locator, photo: Buffer) => Promise<void>;
};

export function createActionCounter(): Actions {
  let count = 0;
  const countAction = (action: () => Promise<unknown>): Promise<void> => {
    count += 1;
    return action().then(() => undefined);
  };
  return {
    count: () => count,
    open: (page, address) => countAction(() => page.goto(address)),
    click: (target) => countAction(() => target.click()),
    fill: (field, text) => countAction(() => field.fill(text)),
    choosePhoto: (field, buffer) =>
      countAction(() => field.setInputFiles({ name: 'city.jpg', mimeType: 'image/jpeg', buffer })),
  };
}

/** Clicks a button and expects its toast. Starts waiting before the click, because a toast lasts only 3 seconds. */
export async function clickAndExpectToast(button: Locator, toast: Locator): Promise<void> {
  await Promise.all([expect(toast).toBeVisible(), button.click()]);
}
