import type { Cell } from '#contract/schemas/cells.ts';
import { m } from '#messages';
import type { OrgPageProps } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Card } from '#web/ui/layout.tsx';
import { CellText } from '#web/ui/markdown.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import about from './about.module.css';
import { CutawayFigure } from './cutaway-figure.tsx';
import styles from './help.module.css';
import type { HelpData } from './route.ts';

/** A page for households: whom to ask, what grants pay for, who qualifies, and how to apply. */
export function HelpPage({ org, site, cells }: OrgPageProps & HelpData) {
  return (
    <Page>
      <DocumentTitle parts={[m.navHelp(), org.name]} />
      <div className={classNames(about.sideBySide, styles.page)}>
        <div>
          <PageTitle>{m.navHelp()}</PageTitle>
          <p className={styles.lead}>{org.takesApplications ? m.helpLead() : m.helpClosed({ org: org.name })}</p>
          {org.takesApplications ? (
            <Contact cell={cells.contact} email={site.contactEmail} />
          ) : (
            <Questions email={site.contactEmail} />
          )}
        </div>
        <CutawayFigure />
        {org.takesApplications && (
          <div className={styles.cells}>
            <CellText cell={cells.pays} />
            <CellText cell={cells.qualify} />
            <CellText cell={cells.ready} />
            <CellText cell={cells.apply} />
          </div>
        )}
      </div>
    </Page>
  );
}

function Contact({ cell, email }: { cell: Cell; email: string }) {
  return (
    <Card className={styles.contact}>
      <CellText cell={cell} />
      <ButtonLink
        kind="action"
        className={styles.write}
        href={`mailto:${email}?subject=${encodeURIComponent(m.helpSubject())}`}
      >
        {m.helpWrite()}
      </ButtonLink>
    </Card>
  );
}

function Questions({ email }: { email: string }) {
  const tags = { email: (words: string) => <a href={`mailto:${email}`}>{words}</a> };
  return (
    <p className={styles.question}>
      <RichText text={m.helpQuestion({ email })} tags={tags} />
    </p>
  );
}
