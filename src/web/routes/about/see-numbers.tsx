import { pagePath } from '#contract/pages.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import { Rich } from '#web/ui/rich.tsx';

/** Leads from what is said of the calculators to their numbers. */
export function SeeNumbers({ orgId }: { orgId: string }) {
  const tags = {
    numbers: (words: string) => <Link to={pagePath('numbers-page', { orgid: orgId })}>{words}</Link>,
  };
  return <Rich text={m.seeNumbers()} tags={tags} />;
}
