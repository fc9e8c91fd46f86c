/** The organisation that a fresh development start shows, so that the site looks alive. It is never made in production. */
export const sampleOrg = {
  id: 'sample',
  slug: 'sample-city',
  name: 'City Climate Fund',
  tag: 'Warm homes are climate action',
} as const;
