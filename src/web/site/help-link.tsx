import { pagePath } from '#contract/pages.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';

/** Link for households: "Do you need help with your home?" */
export function HelpLink({ orgId }: { orgId: string }) {
  return <Link to={pagePath('help-page', { orgid: orgId })}>{m.helpAsk()}</Link>;
}
