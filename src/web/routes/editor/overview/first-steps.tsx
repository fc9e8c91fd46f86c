import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import styles from './overview.module.css';
import { type Task, TaskList } from './task-list.tsx';

/** What makes a new site one's own. It goes when the first gift has come. */
export function FirstSteps({ org }: { org: Org }) {
  if (org.stats.funds > 0) return null;
  return (
    <section aria-labelledby="first-steps" className={styles.waiting}>
      <h2 id="first-steps">First steps</h2>
      <TaskList tasks={firstSteps(org)} />
    </section>
  );
}

/** What is left to do before the first gift; what can be seen to be done already is not asked for again. */
export function firstSteps(org: Pick<Org, 'id' | 'slug' | 'photoURL' | 'noAwardees' | 'stats'>): Task[] {
  const params = { orgid: org.id };
  const steps: (Task & { isDone: boolean })[] = [
    {
      isDone: org.photoURL !== null,
      words: 'Put up a photo of your city',
      detail: 'Upload a header photo in the Org settings.',
      to: pagePath('org-page', params),
      icon: 'camera',
    },
    {
      isDone: false,
      words: 'Put your own words in the place of ours',
      detail: 'Every page has texts to begin with. Their pencils are under Edit pages.',
      to: pagePath('pages-editor-page', params),
      icon: 'pencil',
    },
    {
      isDone: org.noAwardees || org.stats.grants > 0,
      words: 'Tell of the first household that a grant has helped',
      detail: 'While there is none, turn off Show awardees in the Org settings.',
      to: pagePath('edit-awardees-page', params),
      icon: 'medal',
    },
    {
      isDone: false,
      words: 'Share your site',
      detail: `Its short address is /${org.slug}, and it has a QR code to print.`,
      to: pagePath('qrcode-page', params),
      icon: 'qr',
    },
  ];
  return steps.filter(({ isDone }) => !isDone);
}
