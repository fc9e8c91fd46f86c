import { orgIdAt } from '#contract/pages.ts';
import { readAddress } from '#web/navigation/address.ts';
import { Redirect } from '#web/navigation/navigator.ts';
import type { Screen, SentScreen } from './screens.ts';

type Load = (address: string, sent?: SentScreen) => Promise<Screen | Redirect>;
type Frame = Pick<Screen, 'org' | 'site'>;

/**
 * Leaves the frame of the pages around one that could not be loaded, as without a network: its organisation could not
 * be asked for either, and whoever stands there still needs the menu, and to know whose site it is.
 */
export function keepFrame(load: Load): Load {
  let last: Frame = { org: undefined, site: undefined };
  return async (address, sent) => {
    const screen = await load(address, sent);
    if (screen instanceof Redirect) return screen;
    if (screen.content.kind === 'error') return { ...screen, ...frameAround(screen, address, last) };
    last = { org: screen.org ?? last.org, site: screen.site ?? last.site };
    return screen;
  };
}

/** The frame that a screen has itself, or the last one, unless it is another organisation's. */
function frameAround(screen: Frame, address: string, last: Frame): Frame {
  const orgid = orgIdAt(readAddress(address).path);
  const near = orgid === undefined || orgid === last.org?.id ? last.org : undefined;
  return { org: screen.org ?? near, site: screen.site ?? last.site };
}
