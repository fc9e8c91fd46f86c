import { Fragment, useEffect, useRef } from 'react';
import { localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { LANGUAGE, m } from '#messages';
import { idFromHash } from '#web/navigation/use-focus-and-scroll.ts';
import { HelpLink } from '#web/site/help-link.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { classNames } from '#web/ui/class-names.ts';
import { collapseAnswers, type FaqGroup, parseFaqGroups } from '#web/ui/faq-headings.ts';
import folds from '#web/ui/fold.module.css';
import { CellText } from '#web/ui/markdown.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import visuallyHidden from '#web/ui/visually-hidden.module.css';
import styles from './about.module.css';
import { NumbersLink } from './numbers-link.tsx';
import type { FaqData } from './route.ts';

/** A numbered table of contents, made from the headings that start with ###, and the FAQ itself (§2). */
export function FaqsPage({ org, site, cells: { questions } }: OrgPageProps & FaqData) {
  const groups = parseFaqGroups(questions.html);
  useOpenAnswer();
  return (
    <Page>
      <DocumentTitle parts={[m.headFaqs(), org.name]} />
      <PageTitle>{m.headFaqs()}</PageTitle>
      <div className={classNames(folds.folds, styles.faq)}>
        {groups.length > 0 && <Contents groups={groups} />}
        <section>
          {/* The cell's headings are h3: screen readers need an h2 above them. */}
          <h2 className={visuallyHidden.hidden}>{m.faqAnswers()}</h2>
          <CellText cell={{ ...questions, html: collapseAnswers(questions.html) }} className={styles.answers} />
          <p className={styles.numbers}>
            <NumbersLink orgId={org.id} /> <HelpLink orgId={org.id} />
          </p>
          <p className={styles.source}>
            {site.publicUrl + localizeAddress(pagePath('faqs-page', { orgid: org.id }), LANGUAGE)}
          </p>
        </section>
      </div>
    </Page>
  );
}

/** Opens the answer that the address or the table of contents links to. */
function useOpenAnswer(): void {
  useEffect(() => {
    const openAnswer = () => {
      const question = document.getElementById(idFromHash(window.location.hash));
      question?.closest('details')?.setAttribute('open', '');
    };
    openAnswer();
    window.addEventListener('hashchange', openAnswer);
    return () => window.removeEventListener('hashchange', openAnswer);
  }, []);
}

/**
 * The table of contents. Collapsed on a phone, where it would repeat the list of questions below. Numbering continues
 * from group to group.
 */
function Contents({ groups }: { groups: readonly FaqGroup[] }) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (window.matchMedia('(min-width: 961px)').matches) details.current?.setAttribute('open', '');
  }, []);
  const firstNumbers = groups.map((_, index) => {
    return 1 + groups.slice(0, index).reduce((sum, { questions }) => sum + questions.length, 0);
  });
  return (
    <nav aria-label={m.faqContents()} className={styles.contents}>
      <details ref={details}>
        <summary>{m.faqContents()}</summary>
        {groups.map(({ title, questions }, index) => (
          <Fragment key={questions[0]?.id}>
            {title && <p>{title}</p>}
            <ol start={firstNumbers[index]}>
              {questions.map(({ id, text }) => (
                <li key={id}>
                  <a href={`#${id}`}>{text}</a>
                </li>
              ))}
            </ol>
          </Fragment>
        ))}
      </details>
    </nav>
  );
}
