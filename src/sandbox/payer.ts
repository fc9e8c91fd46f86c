/** Who pays, as typed on the hosted page. */
export type Payer = { readonly email: string; readonly name: string };

/** What is paid with. Of a card no more is ever kept than this. */
export type Instrument =
  | {
      readonly kind: 'card';
      readonly brand: string;
      readonly last4: string;
      readonly expMonth: number;
      readonly expYear: number;
    }
  | { readonly kind: 'us_bank_account'; readonly last4: string };

export const TEST_BANK_ACCOUNT: Instrument = { kind: 'us_bank_account', last4: '6789' };
