import { type ReactNode, useState } from 'react';
import { parseSuggestedAmount } from '#contract/embed.ts';
import type { Cell } from '#contract/schemas/cells.ts';
import type { Site } from '#contract/schemas/site.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import { typicalGrantCents } from '#domain/gift-effect.ts';
import { m } from '#messages';
import { useCart } from '#web/cart/cart-store.ts';
import { PaymentPanel } from '#web/payment/payment-status.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { describeGrants } from '#web/stories/grant-lines.ts';
import { ProfileCard } from '#web/stories/profile-card.tsx';
import { SCENES } from '#web/stories/story-kinds.ts';
import { CellText } from '#web/ui/markdown.tsx';
import { NoScriptNotice } from '#web/ui/no-script.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useIsHydrated } from '#web/ui/use-is-hydrated.ts';
import styles from './donate.module.css';
import { DonateForm } from './donate-form.tsx';
import type { DonateData } from './route.ts';

/** The page for gifts without an offset: by card, through the cart, or by check (§2). */
export function DonatePage({ org, site, cells, cardFee, awardee, editedId, amountText }: OrgPageProps & DonateData) {
  const cart = useCart(org.id);
  const suggestedAmount = useIsHydrated() ? parseSuggestedAmount(amountText) : undefined;
  const editedLine = cart.lines.find(({ id, item }) => id === editedId && item.type === 'donation');
  const instructions = <CheckInstructions cell={cells.checks} payee={site} memo={org.name} />;
  const checkDialog = useCheckDialog(org.id, instructions);
  const introHasHeading = /<h[12][ >]/.test(cells.intro.html);
  return (
    <Page>
      <DocumentTitle parts={[m.navDonate(), org.name]} />
      <PageTitle hidden={introHasHeading}>{m.navDonate()}</PageTitle>
      <div className={styles.columns}>
        <div className={styles.intro}>
          <CellText cell={cells.intro} />
        </div>
        <div className={styles.give}>
          <NoScriptNotice>
            <p className={styles.noScripts}>{m.donateNoScripts()}</p>
            {instructions}
          </NoScriptNotice>
          <PaymentPanel orgId={org.id} className={styles.payment} />
          <DonateForm
            // The cart and the suggested amount are available only once the page runs in the browser.
            key={editedLine?.id ?? suggestedAmount}
            orgId={org.id}
            editedLine={editedLine}
            suggestedAmount={suggestedAmount}
            fee={cardFee}
            typicalGrant={typicalGrantCents(org.typicalGrant)}
            onSendCheck={checkDialog.open}
          />
          <p className={styles.note}>{m.donateDeductible({ ein: site.parentEin })}</p>
        </div>
        {awardee && !org.noAwardees && <HelpedHome awardee={awardee} />}
      </div>
      {checkDialog.dialog}
    </Page>
  );
}

const FIRST_SENTENCE = /^[^\n]{25,140}?[.!?][’”]?(?=\s|$)/;

/** An awardee's photo and first sentence, next to the form. */
function HelpedHome({ awardee }: { awardee: Profile }) {
  const { story } = awardee;
  const profile = { ...awardee, story: FIRST_SENTENCE.exec(story)?.[0] ?? story };
  return (
    <aside className={styles.home} aria-labelledby="helped-home">
      <p id="helped-home">{m.donateHome()}</p>
      <ProfileCard
        profile={profile}
        scene={SCENES.awardees}
        headingLevel={2}
        sizes="(max-width: 576px) 210px, 560px"
        facts={describeGrants(awardee)}
      />
    </aside>
  );
}

type CheckInstructionsProps = {
  cell: Cell;
  payee: Pick<Site, 'parentName' | 'parentAddress'>;
  memo: string;
};

function CheckInstructions({ cell, payee, memo }: CheckInstructionsProps) {
  return (
    <>
      <CellText cell={cell} />
      <dl className={styles.payee}>
        <dt>{m.checkPayee()}</dt>
        <dd>{payee.parentName}</dd>
        <dt>{m.checkMemo()}</dt>
        <dd>{memo}</dd>
        <dt>{m.checkMailTo()}</dt>
        <dd>{payee.parentAddress}</dd>
      </dl>
    </>
  );
}

/** @returns the Send Check dialog while it is open, and a function that opens it with the text of the amount field */
function useCheckDialog(orgId: string, instructions: ReactNode) {
  const toast = useToast();
  const [checkDialog, setCheckDialog] = useState<typeof import('./check-dialog.tsx') & { readonly amount: string }>();
  const open = (amount: string) =>
    void import('./check-dialog.tsx').then(
      ({ CheckDialog }) => setCheckDialog({ CheckDialog, amount }),
      () => toast(m.notLoaded()),
    );
  const dialog = checkDialog && (
    <checkDialog.CheckDialog orgId={orgId} amount={checkDialog.amount} onClose={() => setCheckDialog(undefined)}>
      {instructions}
    </checkDialog.CheckDialog>
  );
  return { open, dialog };
}
