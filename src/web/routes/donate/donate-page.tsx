import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { CartItem } from '#domain/cart.ts';
import { CART_HASH } from '#web/cart/cart-hash.ts';
import { useCart } from '#web/cart/use-cart.ts';
import { Link } from '#web/navigation/link.tsx';
import { PaymentStanding } from '#web/payment/payment-standing.tsx';
import { useCheckout } from '#web/payment/use-checkout.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { CellText } from '#web/ui/markdown.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { WithoutScripts } from '#web/ui/without-scripts.tsx';
import { CheckWords } from './check-words.tsx';
import { DonateForm } from './donate-form.tsx';
import styles from './donate-page.module.css';
import type { DonateData } from './route.ts';
import { useCheckDialog } from './use-check-dialog.tsx';

/** A gift without an offset: by card, in the cart beside one, or by check (§2). */
export function DonatePage({ org, site, cells }: OrgFrame & DonateData) {
  const cart = useCart(org.id);
  const checkout = useCheckout(useApi(), org.id);
  const check = useCheckDialog({ org, site }, cells.checks);
  const [added, setAdded] = useState(0);
  const introHasHeading = /<h[12][ >]/.test(cells.intro.html);
  const donate = (item: CartItem) => {
    setAdded(0);
    void checkout.checkOut([item]);
  };
  const addToCart = (item: CartItem) => {
    cart.add(item);
    setAdded(added + 1);
  };
  return (
    <Page>
      <DocumentTitle parts={['Donate', org.name]} />
      <PageTitle hidden={introHasHeading}>Donate</PageTitle>
      <div className={styles.columns}>
        <CellText html={cells.intro.html} />
        <div>
          <WithoutScripts>
            <p className={styles.without}>
              Giving by card needs JavaScript, which is switched off in this browser. You can give by check without it:
            </p>
            <CheckWords cell={cells.checks} payee={site} />
          </WithoutScripts>
          <PaymentStanding orgId={org.id} className={styles.payment} />
          <DonateForm
            checkingOut={checkout.checkingOut}
            problem={checkout.problem}
            onDonate={donate}
            onAddToCart={addToCart}
            onCheck={check.open}
          >
            <output className={styles.news}>
              {added > 0 && (
                <span>
                  {added === 1 ? 'Your donation is in the cart.' : `${added} donations are in the cart.`}{' '}
                  <Link to={`${pagePath('home-page', { orgid: org.id })}#${CART_HASH}`}>Go to your cart</Link>
                </span>
              )}
            </output>
          </DonateForm>
        </div>
      </div>
      {check.dialog}
    </Page>
  );
}
