import { RENDERED_PAGES } from '#contract/pages.ts';
import type { Session } from './features/session/session.ts';
import type { SessionStore } from './features/session/session-store.ts';
import type { Navigator } from './navigation/navigator.ts';
import type { Screen } from './screens.ts';

/**
 * When somebody signs in or out, here or in another tab, or may do something else than before, what was loaded is no
 * longer theirs: a page that is each person's own is loaded anew, which may lead elsewhere.
 */
export function followSession(session: SessionStore, { standing, forget, reload }: Navigator<Screen>): void {
  let known = whose(session.now());
  session.subscribe(() => {
    const now = whose(session.now());
    const wasKnown = known !== undefined;
    if (now === known) return;
    known = now;
    forget();
    const { screen } = standing();
    const isOwn = screen?.name !== undefined && !RENDERED_PAGES.includes(screen.name);
    if (wasKnown && isOwn) void reload();
  });
}

/** Who somebody is, and what that person may do; nothing while that is not known yet. */
function whose({ initialized, uid, admin, emailVerified, editorOf }: Session): string | undefined {
  return initialized ? [uid, admin, emailVerified, ...editorOf].join() : undefined;
}
