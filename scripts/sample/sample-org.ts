/** The organization that a fresh development start shows. It is never created in production. */
export const sampleOrg = {
  id: 'sample',
  slug: 'sample-city',
  name: 'City Climate Fund',
  tag: 'Warm homes are climate action',
  place: 'Ithaca, New York',
  home_city: {
    lat: 42.44063,
    lon: -76.49661,
    display_name: 'Ithaca, Tompkins County, New York, United States',
    address: {
      city: 'Ithaca',
      county: 'Tompkins County',
      state: 'New York',
      country: 'United States',
      country_code: 'us',
    },
  },
  time_zone: 'America/New_York',
  // The sample's grants average about $1,136.
  typical_grant_cents: 110_000,
} as const;

/** ".example" addresses receive no email (RFC 2606), so only readers of the development mailbox can log in with these. */
export const SAMPLE_EDITOR = { email: 'editor@sample.example', name: 'Robin Alder' } as const;
export const SAMPLE_ADMIN = { email: 'admin@sample.example', name: 'Quinn Larch' } as const;
