import { m } from '#messages';
import type { OrgPageProps } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/layout.tsx';
import { CellText } from '#web/ui/markdown.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import about from './about.module.css';
import { CutawayFigure } from './cutaway-figure.tsx';
import styles from './help.module.css';
import type { HelpData } from './route.ts';

/** For households: what grants pay for, who qualifies, and how to apply. */
export function HelpPage({ org, site, cells }: OrgPageProps & HelpData) {
  return (
    <Page>
      <DocumentTitle parts={[m.navHelp(), org.name]} />
      <div className={about.sideBySide}>
        <div>
          <PageTitle>{m.navHelp()}</PageTitle>
          <p className={styles.lead}>{org.takesApplications ? m.helpLead() : m.helpClosed({ org: org.name })}</p>
          {!org.takesApplications && <Questions email={site.contactEmail} />}
        </div>
        <CutawayFigure />
      </div>
      {org.takesApplications && <Answers cells={cells} email={site.contactEmail} />}
    </Page>
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

function Answers({ cells, email }: Pick<HelpData, 'cells'> & { email: string }) {
  return (
    <div className={styles.answers}>
      <div className={styles.cells}>
        <CellText cell={cells.pays} />
        <CellText cell={cells.qualify} />
        <CellText cell={cells.ready} />
        <CellText cell={cells.apply} />
      </div>
      <Card className={styles.contact}>
        <CellText cell={cells.contact} />
        <ButtonLink
          kind="action"
          wide
          className={styles.write}
          href={`mailto:${email}?subject=${encodeURIComponent(m.helpSubject())}`}
        >
          {m.helpWrite()}
        </ButtonLink>
      </Card>
    </div>
  );
}
