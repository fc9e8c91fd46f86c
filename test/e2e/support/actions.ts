import type { Locator, Page } from '@playwright/test';

/** Performs user actions and counts them: each address opened, press, field filled, and choice is one. */
export type Actions = {
  readonly count: () => number;
  /** Opens an address, by typing it or by a link in a mail. */
  readonly open: (page: Page, address: string) => Promise<void>;
  readonly press: (what: Locator) => Promise<void>;
  readonly fill: (field: Locator, text: string) => Promise<void>;
  readonly choosePhoto: (field: Locator, photo: Buffer) => Promise<void>;
};

export function countedActions(): Actions {
  let count = 0;
  const countAction = (action: () => Promise<unknown>): Promise<void> => {
    count += 1;
    return action().then(() => undefined);
  };
  return {
    count: () => count,
    open: (page, address) => countAction(() => page.goto(address)),
    press: (what) => countAction(() => what.click()),
    fill: (field, text) => countAction(() => field.fill(text)),
    choosePhoto: (field, buffer) =>
      countAction(() => field.setInputFiles({ name: 'city.jpg', mimeType: 'image/jpeg', buffer })),
  };
}
