import { pagePath } from '#contract/pages.ts';
import type { FirstSteps as StepStates } from '#contract/schemas/first-steps.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { FIRST_STEPS, type FirstStep } from '#domain/first-steps.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { Link } from '#web/navigation/link.tsx';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { ExtendedIcon, type ExtendedIconName } from '#web/ui/extended-icon.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { cellId } from '../cells/route.ts';
import { INVITE_HASH } from '../editors/route.ts';
import { sectionUrl } from '../org/org-sections.ts';
import { editPath } from '../stories/editorial-story.ts';
import { NEW_STORY } from '../stories/route.ts';
import styles from './overview.module.css';

type StepText = {
  readonly title: string;
  readonly detail: string;
  readonly to: string;
  readonly icon: ExtendedIconName;
};

/** Title and details of each step, with a link to its setting. */
export function getStepTexts({ id, slug }: Pick<Org, 'id' | 'slug'>): Readonly<Record<FirstStep, StepText>> {
  const params = { orgid: id };
  return {
    photo: {
      title: 'Add a photo of your city',
      detail: 'It’s the background of your home page.',
      to: sectionUrl(id, 'basics', 'header-photo'),
      icon: 'camera',
    },
    text: {
      title: 'Replace our starter text with your own',
      detail: 'Every page comes with starter text. Start with the introduction on the home page.',
      to: `${pagePath('pages-editor-page', params)}#${cellId({ page: 'home', name: 'intro' })}`,
      icon: 'pencil',
    },
    'time-zone': {
      title: 'Check your time zone',
      detail: 'It determines the date on each receipt. The default is New York.',
      to: sectionUrl(id, 'place', 'time-zone'),
      icon: 'history',
    },
    electricity: {
      title: 'Choose your electric grid region',
      detail: 'The calculator will then use your grid’s emissions instead of upstate New York’s.',
      to: sectionUrl(id, 'calculator', 'electricity'),
      icon: 'bolt',
    },
    'typical-grant': {
      title: 'Enter what a typical grant pays',
      detail: 'Donors will then see how their gift compares with it.',
      to: sectionUrl(id, 'grants', 'typical-grant'),
      icon: 'home',
    },
    awardee: {
      title: 'Add the first household a grant has helped',
      detail: 'If there isn’t one yet, turn off Show awardees in Org settings.',
      to: editPath('awardee', id, NEW_STORY),
      icon: 'medal',
    },
    editor: {
      title: 'Invite a second editor',
      detail: 'Then someone can fill in when you’re away.',
      to: pagePath('editors-page', params) + INVITE_HASH,
      icon: 'people',
    },
    share: {
      title: 'Share your site, and get the first gift',
      detail: `Its short address is /${slug}. It also has a QR code to print.`,
      to: pagePath('qrcode-page', params),
      icon: 'qr',
    },
  };
}

/** Steps for a new site. Hidden once all are done or marked as done. */
export function FirstSteps({ org, steps }: { org: Org; steps: StepStates }) {
  const api = useApi();
  const can = useCan(org.id);
  const { run, busy, problem } = useAttempt();
  const visibleSteps = steps.filter(({ step }) => can(FIRST_STEPS[step]));
  const openSteps = visibleSteps.filter(({ state }) => state === 'open');
  if (openSteps.length === 0) return null;
  const texts = getStepTexts(org);
  const canDismiss = can('org.edit');
  const dismiss = (dismissedSteps: FirstStep[]) =>
    run(() =>
      api.call('dismissFirstSteps', { params: { orgid: org.id }, body: { steps: dismissedSteps, dismissed: true } }),
    );
  const progress = `${visibleSteps.length - openSteps.length} of ${visibleSteps.length} done`;
  const stepList = (
    <>
      <ol>
        {visibleSteps.map(({ step, state }) =>
          state === 'open' ? (
            <li key={step} className={styles.step}>
              <StepLink text={texts[step]} />
              {canDismiss && (
                <Button kind="quiet" busy={busy} onClick={() => void dismiss([step])}>
                  Mark as done<VisuallyHidden>: {texts[step].title}</VisuallyHidden>
                </Button>
              )}
            </li>
          ) : (
            <li key={step} className={styles.doneStep}>
              <ExtendedIcon name="check" />
              <span>
                <VisuallyHidden>Done: </VisuallyHidden>
                {texts[step].title}
              </span>
            </li>
          ),
        )}
      </ol>
      <Problem inline>{problem}</Problem>
      {canDismiss && (
        <Button kind="quiet" busy={busy} onClick={() => void dismiss(openSteps.map(({ step }) => step))}>
          Hide the first steps
        </Button>
      )}
    </>
  );
  if (hasFirstGift(steps)) {
    return (
      <section aria-label="First steps" className={styles.section}>
        <Disclosure summary={`First steps: ${progress}`}>{stepList}</Disclosure>
      </section>
    );
  }
  return (
    <section aria-labelledby="first-steps" className={styles.section}>
      <h2 id="first-steps">
        First steps <span className={styles.count}>{progress}</span>
      </h2>
      {stepList}
    </section>
  );
}

/** True once the fund has a gift. The steps are then collapsed, since the gifts matter more. */
export function hasFirstGift(steps: StepStates): boolean {
  return steps.some(({ step, state }) => step === 'share' && state === 'done');
}

function StepLink({ text: { title, detail, to, icon } }: { text: StepText }) {
  return (
    <Link to={to} className={styles.stepLink}>
      <ExtendedIcon name={icon} />
      <span>
        {title}
        <small>{detail}</small>
      </span>
      <ExtendedIcon name="next" />
    </Link>
  );
}
