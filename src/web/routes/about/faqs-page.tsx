import { pagePath } from '#contract/pages.ts';
import { faqContents } from '#domain/faq.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { CellText } from '#web/ui/markdown.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import hiding from '#web/ui/visually-hidden.module.css';
import styles from './about.module.css';
import type { FaqData } from './route.ts';

/** A numbered table of contents, made from the headings that start with ###, and the FAQ itself (§2). */
export function FaqsPage({ org, site, cells: { questions } }: OrgFrame & FaqData) {
  const contents = faqContents(questions.markdown);
  return (
    <Page>
      <DocumentTitle parts={['FAQs', org.name]} />
      <PageTitle>FAQs</PageTitle>
      <div className={styles.faq}>
        {contents.length > 0 && (
          <nav aria-label="Table of contents" className={styles.contents}>
            <ol>
              {contents.map(({ id, text }) => (
                <li key={id}>
                  <a href={`#${id}`}>{text}</a>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <section>
          {/* The cell's headings are h3: screen readers need an h2 above them. */}
          <h2 className={hiding.hidden}>Questions and answers</h2>
          <CellText html={questions.html} className={styles.answers} />
          <p className={styles.source}>{site.publicUrl + pagePath('faqs-page', { orgid: org.id })}</p>
        </section>
      </div>
    </Page>
  );
}
