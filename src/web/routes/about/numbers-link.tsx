import { pagePath } from '#contract/pages.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import { RichText } from '#web/ui/rich-text.tsx';

/** A sentence that links to the numbers of the calculators. */
export function NumbersLink({ orgId }: { orgId: string }) {
  const tags = {
    numbers: (words: string) => <Link to={pagePath('numbers-page', { orgid: orgId })}>{words}</Link>,
  };
  return <RichText text={m.seeNumbers()} tags={tags} />;
}
